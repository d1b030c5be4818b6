// SPDX-License-Identifier: GPL-2.0-or-later
class Garbage {
	public static void main(String[] arguments) {
		byte[][] kept = new byte[16][];
		for (int i = 0; i < 2000; i++)
			kept[i % 16] = new byte[100000];
		System.gc();
	}
}
