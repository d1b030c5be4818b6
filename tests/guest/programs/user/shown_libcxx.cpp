/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of libc++ for what `$x$` shows. */
// skip: no_libcxx
// compiler: clang++ -stdlib=libc++
// cflags: -g -std=c++17
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

struct all {
	std::string brief = "brief", none, full = "exactly twenty-two....",
		    text = "a text that is longer than that";
	std::string_view view = "view";
	std::vector<std::string> words{ "a", text, "\"" };
	std::vector<int> nums{ 1, 2, 3 };
	std::array<int, 2> two{ { 4, 5 } };
	std::optional<int> some = 5, empty;
	std::map<int, int> map{ { 1, 2 }, { 3, 4 } };
	std::set<int> set{ 1 };
	std::unordered_map<int, int> hash{ { 1, 2 }, { 3, 4 }, { 5, 6 } };
	std::list<int> list{ 1, 2, 3, 4 };
	std::unique_ptr<int> own = std::make_unique<int>(7);
	std::shared_ptr<int> shared = std::make_shared<int>(8);
};

struct more {
	std::deque<int> numbers;
	std::vector<bool> flags{ true, false, true };
	std::forward_list<int> forward{ 4, 5 }, nothing;
	std::tuple<int, std::string> tuple{ 5, "five" };
	std::variant<int, std::string> number = 7, text = "text";
	std::atomic<int> counter{ 5 };
	std::bitset<70> bits{ 0x25 };
	std::chrono::milliseconds wait{ 1500 };
	std::wstring brief = L"wide", wide = L"longer than that";
};

__attribute__((noinline)) size_t others(more *m)
{
	asm volatile("" ::: "memory");
	return m->numbers.size();
}

__attribute__((noinline)) size_t work(all *a, const std::string &name, const std::string &other)
{
	asm volatile("" ::: "memory");
	return a->nums.size() + name.size() + other.size();
}

int main()
{
	all a;

	more m;
	for (int i = 0; i < 3000; i++)
		m.numbers.push_back(i);
	for (int i = 0; i < 1020; i++)
		m.numbers.pop_front();
	return work(&a, a.brief, a.text) != 39 || others(&m) != 1980;
}
