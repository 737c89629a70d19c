import { describe, expect, it } from 'vitest';
import { FakeContainer, sh } from '../testing/fake-host.ts';

const out = (text: string) => sh(text).stdout;

describe('the shell language', () => {
  it.each([
    ['echo "a  b"  c', 'a  b c\n'],
    ['x=5; echo $((x * 2 + 1)) ${#x} ${y:-none} ${x:+set}', '11 1 none set\n'],
    ['f=a/b/c.tar.gz; echo ${f##*/} ${f%.*} ${f%%.*} ${f#a/} ${f/b/X} ${f:2:3}', 'c.tar.gz a/b/c.tar a/b/c b/c.tar.gz a/X/c.tar.gz b/c\n'],
    ['for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done', '1\n3\n'],
    ['i=0; while true; do i=$((i+1)); [ $i -ge 3 ] && break; done; echo $i', '3\n'],
    ['case abc.txt in *.md) echo md;; *.txt|*.log) echo text;; *) echo other;; esac', 'text\n'],
    ['f() { local x=1; echo "$1 $# $x"; return 3; }; x=9; f "a b" c; echo $? $x', 'a b 2 1\n3 9\n'],
    ['set -- a "b c"; for w in "$@"; do echo "<$w>"; done; for w in $@; do echo "[$w]"; done', '<a>\n<b c>\n[a]\n[b]\n[c]\n'],
    ['set --; for w in "$@"; do echo never; done; echo "$#"', '0\n'],
    ['echo $(echo a; echo b) `echo c` "$(printf "d\\n\\n")"', 'a b c d\n'],
    ['x=$(false) || echo failed; echo $?', 'failed\n0\n'],
    ['echo one | { read x; echo "got $x"; }; (exit 4); echo $?', 'got one\n4\n'],
    ['! true; echo $?; ! false && echo yes', '1\nyes\n'],
    ['cat <<EOF\na $((1+1))\nEOF\ncat <<\'EOF\'\na $x\nEOF', 'a 2\na $x\n'],
    ['echo a > /tmp/f; echo b >> /tmp/f; cat < /tmp/f; wc -l < /tmp/f', 'a\nb\n2\n'],
    ['echo err >&2; ls /none 2>/dev/null || echo gone', 'gone\n'],
    ['printf "%s=%03d\\n" a 7 b 12', 'a=007\nb=012\n'],
    ['printf "a b\\nc d\\n" | while read x y; do echo $y-$x; done', 'b-a\nd-c\n'],
    ['seq 3 | sort -r | head -n 2 | tr "\\n" ,', '3,2,'],
    ['echo a:b:c | cut -d: -f2; echo hello | sed "s/l/L/g; s/^/> /"; echo "x y z" | awk \'{print $2, NF}\'', 'b\n> heLLo\ny 3\n'],
    ['if [[ "abc" == a* && ! -f /x ]]; then echo match; fi; [[ abc =~ ^a.c$ ]] && echo regex', 'match\nregex\n'],
    ['touch /tmp/a1 /tmp/a2; cd /tmp; echo a*; echo "a*"', 'a1 a2\na*\n'],
    ['eval "x=1; y=2"; echo $x$y; export A=b; env | grep ^A=; A=c sh -c \'echo $A\'; echo $A', '12\nA=b\nc\nb\n'],
    ['IFS=:; x=a:b; set -- $x; echo $2; unset IFS; shift; echo $#', 'b\n1\n'],
    ['echo "echo sourced $1" > /tmp/s; . /tmp/s; sh /tmp/s', 'sourced\nsourced\n'],
    ['trap "echo bye" EXIT; echo hi', 'hi\nbye\n'],
    ['n=0; until [ $n -eq 3 ]; do n=$((n + 1)); done; echo $n; : ${z:=7}; echo $z', '3\n7\n'],
    ['a="1 2"; for x in $a; do for y in x y; do [ $y = y ] && continue 2; echo $x$y; done; done', '1x\n2x\n'],
    ['exec 3>/tmp/o; echo to3 >&3; cat /tmp/o; exec >/tmp/log; echo hidden', 'to3\n'],
    ['while getopts "ab:" o -a -b x; do echo $o $OPTARG; done', 'a\nb x\n'],
    ['echo ${x-unset} "${x-a b}" ${x:-"q r"}; echo a{b}', 'unset a b q r\na{b}\n'],
  ])('%s', (text, expected) => {
    expect(out(text)).toBe(expected);
  });

  it('ends with 127, 126, 2 and 128 + n as sh does', () => {
    expect(sh('startserver --port 80')).toMatchObject({ exitCode: 127, stderr: 'sh: startserver: not found\n' });
    expect(sh('/etc/passwd')).toMatchObject({ exitCode: 126, stderr: 'sh: /etc/passwd: Permission denied\n' });
    expect(sh('if true; then')).toMatchObject({ exitCode: 2, stderr: 'sh: syntax error: unexpected end of file\n' });
    expect(sh('sh -c "kill -SEGV \\$\\$"; exit $?').exitCode).toBe(139);
    expect(sh('set -e; false; echo never')).toMatchObject({ exitCode: 1, stdout: '' });
    expect(sh('set -e; if false; then :; fi; false || true; ! true; echo on').stdout).toBe('on\n');
    expect(sh('set -u; echo $nope; echo never')).toMatchObject({ exitCode: 2, stderr: 'sh: nope: parameter not set\n' });
    expect(sh('set -eo pipefail; false | true; echo never').exitCode).toBe(1);
  });

  it('says of real commands that it does not simulate them', () => {
    expect(sh('vi x')).toMatchObject({ exitCode: 127, stderr: 'kubelapse: vi is not simulated\n' });
  });
});

describe('time', () => {
  it('passes while a command sleeps, and little otherwise', () => {
    const container = sh('touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600', 29_000);
    expect(container.nodes['/tmp/healthy']).toBeDefined();
    expect(container.run(31_000).nodes['/tmp/healthy']).toBeUndefined();
    container.run(700_000);
    expect(container.exitCode).toBe(0);
    expect(container.exitedAt).toBeGreaterThan(630_000);
    expect(container.exitedAt).toBeLessThan(630_050);
    expect(container.steps).toBeLessThan(8);
  });

  it('runs background jobs beside the shell and waits for them', () => {
    const container = sh('(sleep 2; echo two) & (sleep 1; echo one) & wait; echo all');
    expect(container.stdout).toBe('one\ntwo\nall\n');
    expect(container.exitedAt).toBeLessThan(2_100);
  });

  it('streams through pipes line by line', () => {
    const container = sh('for i in 1 2 3; do echo line $i; sleep 1; done | while read l; do echo "got $l"; done', 1_500);
    expect(container.stdout).toBe('got line 1\ngot line 2\n');
  });

  it('cuts a command short with timeout', () => {
    expect(sh('timeout 2 sleep 10; echo $?')).toMatchObject({ stdout: '143\n' });
  });

  it('slows down what never waits', () => {
    const container = sh('while true; do :; done', 600_000);
    expect(container.exitCode).toBeUndefined();
    expect(container.steps).toBeLessThan(3_500);
    expect(sh('yes', 60_000).stdout.length).toBeLessThan(100_000);
    expect(sh('f() { f | f & }; f; wait', 5_000).steps).toBeLessThan(2_000);
  });
});

describe('signals', () => {
  it('do not reach PID 1 without a handler', () => {
    expect(sh('sleep 3600', 1_000).signal('SIGTERM').run(9_000).exitCode).toBeUndefined();
    expect(new FakeContainer({ command: ['sleep', '3600'] }).signal('SIGTERM').exitCode).toBeUndefined();
    expect(new FakeContainer({ command: ['sleep', '3600'], pid1: false }).signal('SIGTERM').exitCode).toBe(143);
  });

  it('run a trap after the foreground command', () => {
    const container = sh('trap "echo term; exit 3" TERM; while true; do sleep 5; done', 6_000).signal('SIGTERM');
    expect(container.exitCode).toBeUndefined();
    expect(container.run(20_000)).toMatchObject({ exitCode: 3, stdout: 'term\n' });
    expect(container.exitedAt).toBeLessThan(10_100);
  });

  it('run a trap at once during wait', () => {
    const container = sh('trap "exit 0" TERM; sleep 3600 & wait', 5_000).signal('SIGTERM').run(5_100);
    expect(container.exitCode).toBe(0);
  });

  it('ignored ones are ignored by children too', () => {
    expect(sh('trap "" TERM; sleep 100', 1_000).signal('SIGTERM').run(99_000).exitCode).toBeUndefined();
  });

  it('cannot kill PID 1 from inside with SIGKILL', () => {
    expect(sh('sleep 10; kill -9 $$').exitCode).toBe(1);
  });

  it('of an exec reach the main process', () => {
    const exec = new FakeContainer({ command: ['sh', '-c', 'kill 1'], pid1: false }, (container) => {
      container.others = [{ pid: 1, command: 'nginx' }, { pid: 30, command: 'sh' }];
    });
    expect(exec.run(100)).toMatchObject({ exitCode: 0, killed: [{ pid: 1, signal: 'SIGTERM' }] });
  });
});
