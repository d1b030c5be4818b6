/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of libc++ for what `$x$` shows. */
// skip: no_libcxx
// compiler: clang++ -stdlib=libc++
// cflags: -g -std=c++17
#include <array>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
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

__attribute__((noinline)) size_t work(all *a, const std::string &name, const std::string &other)
{
	asm volatile("" ::: "memory");
	return a->nums.size() + name.size() + other.size();
}

int main()
{
	all a;

	return work(&a, a.brief, a.text) != 39;
}
