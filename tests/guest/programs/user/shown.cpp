/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C++ for what `$x$` shows: types of the library, base classes, enum class, floating point. */
// cflags: -g -O1 -std=c++17
#include <complex>
#include <array>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
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
	return r + (int)scale(2.5, 0.1f) + (int)turn(w) == 0;
}
