# SPDX-License-Identifier: GPL-2.0-or-later
"""
How scripts run, a class for each kind of back end: programs of --runtime=user and bpf, one after the other; modules,
which are compiled here and run in a guest, hundreds in one boot.

  batch             programs in one script
  spans             spans of seeds after which finish() is called
  shrink_seconds    time for making a program that differs smaller
  start(script, settings)     begins with a script
  finish()                    the outputs of all that were begun since the last call: (stdout, stderr) each
"""
import collections
import os
import shutil
import subprocess

Settings = collections.namedtuple('Settings', 'max_string unoptimised')

NESTING = 20
SCRIPT_SECONDS = 120
GUEST_SECONDS = 120    # a boot
MODULE_SECONDS = 60


class Failed(Exception):
    """A back end that does not work at all."""


def options(settings):
    return ['-u'] * settings.unoptimised + [
        '-DMAXSTRINGLEN=%d' % settings.max_string, '-DMAXNESTING=%d' % NESTING, '-DMAXERRORS=1000000', '-w']


def write_script(directory, script):
    path = os.path.join(directory, 'script.stp')
    with open(path, 'w', encoding='latin-1') as f:
        f.write(script + 'probe begin(1000000) { exit() }\n')
    return path


def captured(command, seconds):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)
    return done.stdout.decode('latin-1'), done.stderr.decode('latin-1')


class Programs:
    spans = 1
    shrink_seconds = 40

    def __init__(self, runtime, stap, directory):
        self.runtime, self.stap, self.directory = runtime, stap, directory
        self.batch = 10 if runtime == 'bpf' else 50  # the verifier takes longer for each program of a long script
        self.outputs = []

    def start(self, script, settings):
        path = write_script(self.directory, script)
        self.outputs.append(captured([self.stap, '--runtime=' + self.runtime] + options(settings) + [path], SCRIPT_SECONDS))

    def finish(self):
        outputs, self.outputs = self.outputs, []
        return outputs


# A guest's shell runs the modules of the directory $1, in the order of its file "modules", by the staprun $2.
RUN_MODULES = '''cd "$1" && while read -r module; do
    timeout %d "$2" "$module.ko" > "$module.out" 2> "$module.err" < /dev/null
    echo $? > "$module.status"
done < modules''' % MODULE_SECONDS


class Modules:
    batch = 50
    spans = 40
    shrink_seconds = 600

    def __init__(self, runtime, stap, directory):
        self.runtime, self.stap, self.directory = runtime, stap, os.path.join(directory, 'guest')
        self.programs = os.path.dirname(os.path.realpath(stap))
        self.begun = []  # the name of each module, or None and what stap said
        self.tree, self.release = self.kernel()
        os.mkdir(self.directory)

    @staticmethod
    def kernel():
        """The kernel of the guest tests: its tree and its release."""
        top = os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', '..')
        words = subprocess.run(['bash', '-c', '. tests/lib.sh; target TREE; test_kernel'], cwd=top, capture_output=True,
                               text=True).stdout.split()
        if len(words) != 2:
            raise Failed('there is no kernel for guests: tools/fetch-kernel gets one')
        os.environ['STAP_KERNELS'] = words[0]
        return words

    def start(self, script, settings):
        path = write_script(self.directory, script)
        stdout, stderr = captured([self.stap, '-p4', '-r', self.release] + options(settings) + [path], SCRIPT_SECONDS)
        module = stdout.strip()
        if not module:
            self.begun.append((None, stderr))
            return
        name = os.path.basename(module)[:-len('.ko')]
        shutil.copy(module, self.directory)
        with open(os.path.join(self.directory, 'modules'), 'a') as f:
            f.write(name + '\n')
        self.begun.append((name, stderr))

    def boot(self):
        count = sum(name is not None for name, _ in self.begun)
        limit = GUEST_SECONDS + MODULE_SECONDS * count
        return captured([os.path.join(self.programs, 'stap-vm'), '--release', self.release, '--smp', '1', '--timeout', str(limit),
                         '--share', self.directory, '--', 'bash', '-c', RUN_MODULES, 'sh', self.directory,
                         os.path.join(self.programs, 'staprun')], limit + GUEST_SECONDS)[1] if count else ''

    def text(self, name, suffix):
        try:
            with open(os.path.join(self.directory, name + suffix), encoding='latin-1', newline='') as f:
                return f.read()
        except FileNotFoundError:
            return None

    def output(self, name, said, guest):
        if name is None:
            return '', said
        if self.text(name, '.status') is None:
            return self.text(name, '.out') or '', 'the guest ended before this module did:\n' + guest
        return self.text(name, '.out'), self.text(name, '.err')

    def finish(self):
        guest = self.boot()
        outputs = [self.output(name, said, guest) for name, said in self.begun]
        shutil.rmtree(self.directory)
        os.mkdir(self.directory)
        self.begun = []
        return outputs


KINDS = {'user': Programs, 'bpf': Programs, 'kernel': Modules}


def make(runtime, stap, directory):
    if runtime not in KINDS:
        raise Failed("--runtimes: '%s' is none of %s" % (runtime, ', '.join(KINDS)))
    return KINDS[runtime](runtime, stap, directory)
