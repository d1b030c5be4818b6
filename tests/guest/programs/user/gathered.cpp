// SPDX-License-Identifier: GPL-2.0-or-later
// Calls getpriority() from a function of C++, again and again for half a minute at most.
#include <sys/resource.h>
#include <unistd.h>

namespace shop {
struct Order {
	__attribute__((noinline)) int total(int n);
};
int Order::total(int n)
{
	return getpriority(PRIO_PROCESS, 0) + n;
}
}

int main()
{
	shop::Order order;
	int sum = 0;

	for (int i = 0; i < 3000; i++) {
		sum += order.total(i);
		usleep(10000);
	}
	return sum == 1;
}
