/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C++ for what `$x$` shows: types of the library, base classes, enum class, floating point. */
// cflags: -g -O1 -std=c++17
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstring>
#include <deque>
#include <filesystem>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>
#define NOINLINE __attribute__((noinline, noclone, used))
namespace shop
{
enum class State : short { Open = 1, Paid = 2, Lost = -1 };
enum Old { OLD_ONE = 1 };
struct Empty {
};
struct Tag : Empty {
};
struct Base {
	int id;
};
struct Item : Tag, Base {
	std::string name;
	double price;
	State s;
	Old o;
	std::vector<int> tags;
};
NOINLINE int work(const std::string &note, std::string_view view, const std::vector<Item> &items,
		  const std::vector<int> &nums, std::array<short, 3> &arr, std::optional<int> some,
		  std::optional<std::string> &none)
{
	return note.size() + view.size() + items.size() + nums.size() + arr[0] + some.value_or(0) +
	       none.has_value();
}
NOINLINE int more(std::unique_ptr<Item> &u, std::shared_ptr<Item> &sh, std::map<int, int> &m,
		  std::unordered_map<int, int> &um, std::set<int> &set, State s, Item &it,
		  std::vector<std::vector<std::string>> &deep, std::vector<bool> &bits,
		  std::string *wrong)
{
	return u->id + sh->id + m.size() + um.size() + set.size() + (int)s + it.id + deep.size() +
	       bits.size();
}
struct Wave {
	std::complex<double> z;
	double _Complex c;
	float _Complex f;
};
NOINLINE double turn(Wave &w)
{
	__asm__ volatile("" : : "r"(&w) : "memory");
	return w.z.real() + __imag__ w.c + __real__ w.f;
}
struct Lists {
	std::deque<int> numbers, no_numbers;
	std::deque<std::string> names{ "a", "b" };
	std::vector<bool> flags{ true, false, true };
	std::list<std::pair<int, std::string>> pairs{ { 1, "x" }, { 2, "y" } };
	std::forward_list<short> shorts{ 4, 5 }, no_shorts;
	std::vector<unsigned char> bytes{ 1, 'a' };
	std::array<char, 4> letters{ { 'a', 'b', 'c' } };
	std::tuple<int, std::string, std::tuple<>, double> tuple{ 5, "five", {}, 5.5 };
	Lists()
	{
		for (int i = 0; i < 300; i++)
			numbers.push_back(i);
		for (int i = 0; i < 200; i++)
			numbers.pop_front();
	}
};
NOINLINE int lists(Lists &l)
{
	__asm__ volatile("" : : "r"(&l) : "memory");
	return l.numbers.size();
}
using Choice = std::variant<std::monostate, int, std::string, Base>;
struct Others {
	Choice nothing, number = 7, text = "text", base = Base{ 8 };
	std::atomic<int> counter{ 5 };
	std::atomic<Base *> where{ nullptr };
	std::bitset<70> bits{ 0x25 };
	std::chrono::milliseconds wait{ 1500 };
	std::chrono::duration<double> exact{ 1.5 };
	std::chrono::duration<int, std::ratio<1, 30>> frames{ 7 };
	std::filesystem::path path = "/usr/lib";
	std::shared_ptr<Base> mine = std::make_shared<Base>(), ours = mine;
	std::byte byte{ 200 };
	std::wstring wide = L"wide \u00e4";
	std::u16string clef = u"\U0001D11E\u202e";
	std::string accent = "\u00e4\xff";
	char32_t letter = U'\u20ac';
};
struct Numbers {
	__int128 low = -((__int128)1 << 100);
	unsigned __int128 high = ~(unsigned __int128)0;
	long double tenth = 0.1L, huge = 0x1.8p5000L;
};
NOINLINE int others(Others &o, Numbers &n, __int128 big)
{
	__asm__ volatile("" : : "r"(&o), "r"(&n) : "memory");
	return (int)big;
}
static int next(int v)
{
	return v + 1;
}
struct Inside {
	std::any nothing, number = 5, text = std::string("any");
	std::function<int(int)> none, function = next, lambda = [](int v) { return v * 2; };
};
NOINLINE int inside(Inside &i)
{
	__asm__ volatile("" : : "r"(&i) : "memory");
	return i.number.has_value();
}
/* An object that was never initialised. */
template <class T> NOINLINE T *garbage()
{
	void *p = ::operator new(sizeof(T));

	std::memset(p, 0xff, sizeof(T));
	__asm__ volatile("" : "+r"(p) : : "memory");
	return static_cast<T *>(p);
}
NOINLINE double scale(double v, float f)
{
	return v * f;
}
} // namespace shop
int main()
{
	using namespace shop;
	std::vector<Item> items(2);
	items[0].id = 7;
	items[0].name = "pen";
	items[0].price = 1.5;
	items[0].s = State::Paid;
	items[0].o = OLD_ONE;
	items[0].tags = { 1, 2 };
	items[1].id = 8;
	items[1].name = "a name that is longer than fifteen";
	items[1].price = 0.1;
	items[1].s = State::Lost;
	items[1].o = OLD_ONE;
	std::vector<int> nums;
	for (int i = 0; i < 12; i++)
		nums.push_back(i);
	std::array<short, 3> arr = { 4, 5, 6 };
	asm volatile("" : "+m"(arr)); // work() reads one of them; a compiler may drop the others
	std::optional<std::string> none;
	int r = work("hello", std::string_view("viewed").substr(0, 4), items, nums, arr, 5, none);
	auto u = std::make_unique<Item>(items[0]);
	auto sh = std::make_shared<Item>(items[1]);
	std::map<int, int> m{ { 1, 2 }, { 3, 4 } };
	std::unordered_map<int, int> um{ { 1, 2 } };
	std::set<int> set{ 1, 2, 3 };
	std::vector<std::vector<std::string>> deep{ { "a", "b" }, {}, { "c" } };
	std::vector<bool> bits{ true, false };
	std::string wrong("no text");
	((char **)&wrong)[0] = (char *)16;
	r += more(u, sh, m, um, set, State::Paid, items[0], deep, bits, &wrong);
	new (&wrong) std::string;
	Wave w = { { 1.5, -2 }, 1, 0.5f };
	__imag__ w.c = 2;
	__imag__ w.f = -1;
	Lists l;
	Others o;
	Numbers n;
	r += lists(l) + lists(*garbage<Lists>());
	r += others(o, n, n.low) + others(*garbage<Others>(), *garbage<Numbers>(), -1);
	Inside i;
	r += inside(i) + inside(*garbage<Inside>());
	return r + (int)scale(2.5, 0.1f) + (int)turn(w) == 0;
}
