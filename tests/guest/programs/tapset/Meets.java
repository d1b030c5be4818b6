// SPDX-License-Identifier: GPL-2.0-or-later
// Two threads that want one lock, wait and are woken.
class Meets {
	static final Object lock = new Object();
	static boolean there, told;

	static void meet(long timeout) throws InterruptedException {
		synchronized (lock) {
			there = true;
			while (!told)
				lock.wait(timeout);
		}
	}

	public static void main(String[] arguments) throws Exception {
		Thread other = new Thread(() -> {
			try {
				meet(7000);
			} catch (InterruptedException e) {
			}
		}, "the other");
		other.setDaemon(true);
		synchronized (lock) {
			other.start();
			Thread.sleep(300);
		}
		while (true) {
			synchronized (lock) {
				if (there)
					break;
			}
			Thread.sleep(50);
		}
		synchronized (lock) {
			told = true;
			lock.notify();
			lock.notifyAll();
			Thread.sleep(100);
		}
		other.join();
	}
}
