/** What a confined command can see and do, tested by running one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, open, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../../../src/process/run-shell-command.ts';
import { MAX_PROCESSES } from '../../../src/process/sandbox/bubblewrap-arguments.ts';
import { type Confinement, findSandbox, trySandbox } from '../../../src/process/sandbox/find-sandbox.ts';
import { programOf } from '../../helpers/bundle-program.ts';
import { HAS_SANDBOX } from '../../helpers/optional-programs.ts';

const found = await findSandbox(process.env);
const confined = describe.skipIf(!HAS_SANDBOX);

let top: string;
let home: string;
let checkout: string;
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'dure-sandbox-')));
  home = join(top, 'home');
  checkout = join(top, 'state', 'project');
  await mkdir(home);
  await mkdir(checkout, { recursive: true });
});
afterEach(() => rm(top, { recursive: true, force: true, maxRetries: 20 }));

interface Changes extends Partial<Confinement> {
  readonly path?: readonly string[];
  readonly env?: Record<string, string>;
}

async function run(command: string, { path = [], env = {}, ...confinement }: Changes = {}) {
  let output = '';
  const end = await runCommand({
    command,
    cwd: checkout,
    env: { PATH: [...path, '/usr/bin', '/bin'].join(':'), HOME: home, ...env },
    timeout_ms: 60_000,
    grace_ms: 2000,
    signal: new AbortController().signal,
    sandbox: found,
    confinement: { writable: [checkout], readable: [], network: false, ...confinement },
    onOutput(_, chunk) {
      output += chunk.toString('utf8');
    },
  });
  return { ...end, output };
}

/** Creates files below the home: text, or `-> target` for a link; files in a `bin` are executable. */
async function put(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true });
    const target = /^-> (.*)$/.exec(text)?.[1];
    if (target) await symlink(target, path);
    else await writeFile(path, text);
    if (!target && /(^|\/)(bin|shims)\//.test(name)) await chmod(path, 0o755);
  }
}
const program = (says: string) => `#!/bin/sh\necho ${says}\n`;
/** Names below the home that a confined command can read. */
async function seen(names: readonly string[], changes: Changes): Promise<string[]> {
  const { output } = await run(
    `for name in ${names.join(' ')}; do cat "$HOME/$name" > /dev/null 2>&1 && echo "$name"; done`,
    changes,
  );
  return output.split('\n').filter(Boolean);
}

confined('a confined command', () => {
  it('sees no files in the home or temporary folders, and its writes there leave no trace', async () => {
    await put({ '.ssh/id_ed25519': 'secret', '.bashrc': '' });
    const { output, exit_code } = await run(
      'ls -A "$HOME" /dev/shm /run /var/tmp | grep -v ":$"; echo a > "$HOME/.bashrc" && echo a > /tmp/a && echo a > /dev/shm/a && echo wrote',
    );
    expect({ output: output.trim(), exit_code }).toEqual({ output: 'wrote', exit_code: 0 });
    expect(await readFile(join(home, '.bashrc'), 'utf8')).toBe('');
  });

  it('can write only where it is allowed to', async () => {
    const { output } = await run(
      'echo kept > kept; for path in / /usr /etc /opt; do test -w "$path" && echo "$path"; done; touch /usr/x /x 2>&1 | grep -c Read-only',
    );
    expect(output).toBe('2\n');
    expect(await readFile(join(checkout, 'kept'), 'utf8')).toBe('kept\n');
  });

  it('can write next to programs in the checkout, although their folder is on PATH', async () => {
    const bin = join(checkout, 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'tests'), '#!/bin/sh\ntouch node_modules/.cache && echo written\n', {
      mode: 0o755,
    });
    expect(await run('tests', { path: [bin] })).toMatchObject({ exit_code: 0, output: 'written\n' });
  });

  it('cannot change kernel settings, not even as root', async () => {
    const { output } = await run(
      'for of in hostname core_pattern panic; do file=/proc/sys/kernel/$of; is=$(cat $file); echo "$is" > $file && echo "changed $of"; done 2> /dev/null',
    );
    expect(output).toBe('');
  });

  it('reads permitted folders, except for what is hidden in them', async () => {
    const given = join(top, 'given');
    await mkdir(join(given, 'hidden', 'shown'), { recursive: true });
    for (const name of ['a', 'hidden/b', 'hidden/shown/c', 'd']) await writeFile(join(given, name), name);
    const { output } = await run(
      `cd ${given}; for name in a hidden/b hidden/shown/c d; do cat $name 2> /dev/null && echo; done; echo x > a; echo x > hidden/shown/c; echo x > hidden/shown/n`,
      {
        readable: [given],
        hidden: [join(given, 'hidden'), join(given, 'd')],
        writable: [checkout, join(given, 'hidden', 'shown')],
      },
    );
    expect(output.split('\n').map(line => line.replace(/^.*: /, ''))).toEqual([
      'a',
      'hidden/shown/c',
      'Read-only file system',
      '',
    ]);
    expect(await readFile(join(given, 'a'), 'utf8')).toBe('a');
    expect(await readFile(join(given, 'hidden', 'shown', 'n'), 'utf8')).toBe('x\n');
  });

  it('sees only its own processes', async () => {
    const { output } = await run('ls /proc | grep -c "^[0-9]"; cat /proc/1/comm; kill -0 -1 2>&1; echo $$');
    expect(output.split('\n').slice(0, 2)).toEqual([expect.stringMatching(/^[1-9]$/), 'bwrap']);
  });

  it('has no capabilities and can gain none', async () => {
    const { output } = await run('grep -E "CapEff|CapPrm|NoNewPrivs" /proc/self/status | tr -d "\\t "');
    expect(output.split('\n').slice(0, 3)).toEqual([
      'CapPrm:0000000000000000',
      'CapEff:0000000000000000',
      'NoNewPrivs:1',
    ]);
  });

  it('reaches its own loopback interface, but not that of this machine', async () => {
    const server = createServer(socket => socket.end('hello')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const client = `require('net').connect(${port}, '127.0.0.1').on('data', d => console.log(String(d))).on('error', e => console.log(e.code))`;
    const own = `const s = require('net').createServer(c => c.end()).listen(0, '127.0.0.1', () => { console.log('listens'); s.close(); })`;
    const path = [dirname(process.execPath)];
    expect((await run(`node -e "${client}"; node -e "${own}"`, { path })).output).toBe(
      'ECONNREFUSED\nlistens\n',
    );
    expect((await run(`node -e "${client}"`, { path, network: true })).output).toBe('hello\n');
    server.close();
  });

  it("with network access, finds this machine's name servers", async () => {
    const names = await readFile('/etc/resolv.conf', 'utf8').catch(() => '');
    expect((await run('cat /etc/resolv.conf 2>/dev/null', { network: true })).output).toBe(names);
  });

  it('with network access, reads the certificates that the environment names', async () => {
    await put({ 'company.pem': 'a certificate' });
    const env = { NODE_EXTRA_CA_CERTS: join(home, 'company.pem') };
    const command = 'cat "$NODE_EXTRA_CA_CERTS"';
    expect((await run(command, { env, network: true })).output).toBe('a certificate');
    expect((await run(command, { env })).exit_code).toBe(1);
  });
});

confined('a confined command that uses a toolchain', () => {
  it('sees a Node version in the home directory, with the packages that its programs link to', async () => {
    const version = '.nvm/versions/node/v20';
    await put({
      [`${version}/bin/nodeish`]: program('node'),
      [`${version}/bin/npmish`]: '-> ../lib/node_modules/npmish/bin/cli.sh',
      [`${version}/lib/node_modules/npmish/bin/cli.sh`]: program('npm'),
      '.nvm/secret': '',
    });
    const path = [join(home, version, 'bin')];
    expect((await run('nodeish && npmish', { path })).output).toBe('node\nnpm\n');
    expect(await seen(['.nvm/secret'], { path })).toEqual([]);
  });

  it('finds the toolchain through per-shell links', async () => {
    const shell = join(top, 'run', 'shell_1');
    await put({
      '.local/share/fnm/v20/installation/bin/nodeish': program('node'),
      '.local/share/fnm/v20/installation/lib/x': '',
    });
    await mkdir(dirname(shell), { recursive: true });
    await symlink(join(home, '.local/share/fnm/v20/installation'), shell);
    expect((await run('nodeish', { path: [join(shell, 'bin')] })).output).toBe('node\n');
  });

  it('follows a program to its virtual environment, and from there to its interpreter', async () => {
    await put({
      '.local/bin/tool': '-> ../share/uv/tools/tool/bin/tool',
      '.local/share/uv/tools/tool/bin/tool': `#!${home}/.local/share/uv/tools/tool/bin/python\necho tool\n`,
      '.local/share/uv/tools/tool/bin/python': `-> ${home}/.local/share/uv/python/cpython/bin/python3`,
      '.local/share/uv/tools/tool/pyvenv.cfg': '',
      '.local/share/uv/python/cpython/bin/python3': '-> python3.12',
      '.local/share/uv/python/cpython/bin/python3.12': '#!/bin/sh\n. "$1"\n',
      '.local/share/uv/python/cpython/lib/python3.12/os.py': '',
      '.local/share/keyrings/login': 'secret',
      '.local/share/mail': 'private',
    });
    const path = [join(home, '.local/bin')];
    expect((await run('tool', { path })).output).toBe('tool\n');
    const names = ['.local/share/keyrings/login', '.local/share/mail'];
    expect(await seen(names, { path })).toEqual([]);
  });

  it.each([
    ['pyenv', '.pyenv', 'PYENV_ROOT'],
    ['asdf', '.asdf', 'ASDF_DATA_DIR'],
    ['volta', '.volta', 'VOLTA_HOME'],
    ['rbenv', '.rbenv', 'RBENV_ROOT'],
  ])('sees everything that programs from %s need', async (_, root, variable) => {
    await put({
      [`${root}/shims/tool`]: `#!/bin/sh\nexec "$${variable}/versions/1/bin/tool"\n`,
      [`${root}/versions/1`]: `-> ${home}/built/one`,
      'built/one/bin/tool': program('$0'),
      'built/one/lib/x': '',
    });
    expect((await run('tool', { path: [join(home, root, 'shims')] })).output).toBe(
      `${home}/${root}/versions/1/bin/tool\n`,
    );
  });

  it("sees Rust toolchains but not cargo's credentials", async () => {
    await put({
      '.cargo/bin/cargoish': '#!/bin/sh\n"$RUSTUP_HOME/toolchains/stable/bin/cargoish"\n',
      '.cargo/credentials.toml': 'secret',
      '.rustup/toolchains/stable/bin/cargoish': program('cargo'),
    });
    const path = [join(home, '.cargo/bin')];
    expect((await run('cargoish && mkdir "$HOME/.cargo/registry"', { path })).output).toBe('cargo\n');
    expect(await seen(['.cargo/credentials.toml'], { path })).toEqual([]);
  });

  it('follows a link to the current version, and sees installations named by environment variables', async () => {
    await put({
      '.sdkman/candidates/java/17/bin/javaish': program('java'),
      '.sdkman/candidates/java/current': '-> 17',
      '.sdkman/etc/config': 'private',
      'jdk/bin/javac': program('javac'),
    });
    const changes = {
      path: [join(home, '.sdkman/candidates/java/current/bin')],
      env: { JAVA_HOME: join(home, 'jdk') },
    };
    expect((await run('javaish && "$JAVA_HOME/bin/javac"', changes)).output).toBe('java\njavac\n');
    expect(await seen(['.sdkman/etc/config'], changes)).toEqual([]);
  });

  it('sees a program that a link points to, but nothing else in its folder', async () => {
    await put({ 'bin/tool': '-> ../stuff/tool.sh', 'stuff/tool.sh': program('tool'), 'stuff/letter': '' });
    await chmod(join(home, 'stuff/tool.sh'), 0o755);
    const path = [join(home, 'bin')];
    expect((await run('tool', { path })).output).toBe('tool\n');
    expect(await seen(['stuff/letter'], { path })).toEqual([]);
  });

  it('never sees the home directory itself, folders with secrets or hidden folders, even if they are on PATH', async () => {
    await put({
      letter: 'private',
      'bin/tool': program('tool'),
      'lib/x': 'private',
      '.config/tool/bin/tool': program('tool'),
      '.config/tool/lib/x': 'private',
      'project/tools/bin/tool': program('tool'),
      'project/tools/lib/x': 'private',
      'shared/bin/link': '-> ../../project/tools/bin/tool',
    });
    const path = ['', 'bin', '.config/tool/bin', 'project/tools/bin', 'shared/bin'].map(name =>
      join(home, name),
    );
    const names = ['letter', 'lib/x', '.config/tool/lib/x', 'project/tools/lib/x', 'project/tools/bin/tool'];
    expect(await seen(['bin/tool', ...names], { path, hidden: [join(home, 'project')] })).toEqual([
      'bin/tool',
    ]);
  });
});

confined('the sandbox', () => {
  it('works if the home directory is part of the system or does not exist', async () => {
    for (const HOME of ['/', '/nonexistent', '/usr/sbin', '/tmp']) {
      const { output, exit_code } = await run('ls -A "$HOME" && touch "$HOME/a"', { env: { HOME } });
      expect({ HOME, output, exit_code }).toMatchObject({ exit_code: 0 });
    }
  });

  it('works if the path to the home directory contains a symbolic link', async () => {
    await symlink(home, join(top, 'linked'));
    await put({ '.nvm/v20/bin/nodeish': program('node'), '.nvm/v20/lib/x': '' });
    const linked = join(top, 'linked');
    const { output } = await run('nodeish && touch "$HOME/a" && ls -A "$HOME"', {
      path: [join(linked, '.nvm/v20/bin')],
      env: { HOME: linked },
    });
    expect(output).toBe('node\n.nvm\na\n');
  });

  it.skipIf(process.getuid?.() !== 0)('works for an unprivileged user', async () => {
    const script = await programOf(
      top,
      `import { runCommand } from './src/process/run-shell-command.ts';
       import { findSandbox } from './src/process/sandbox/find-sandbox.ts';
       const sandbox = await findSandbox(process.env);
       const command = { ...JSON.parse(process.argv[2]), env: process.env, sandbox };
       const signal = new AbortController().signal;
       const end = await runCommand({ ...command, signal, onOutput: (_, chunk) => process.stdout.write(chunk) });
       console.log(sandbox.kind, sandbox.why, end.exit_code);`,
    );
    await Promise.all([top, home, checkout].map(folder => chmod(folder, 0o777)));
    const command = {
      command: 'echo a > "$HOME/a" && echo kept > kept && ls -A "$HOME" && id -u',
      cwd: checkout,
      timeout_ms: 60_000,
      grace_ms: 1000,
      confinement: { writable: [checkout], readable: [], network: false },
    };
    const run = spawn(process.execPath, [script, JSON.stringify(command)], {
      uid: 65534,
      gid: 65534,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', HOME: home, TMPDIR: top },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output: Buffer[] = [];
    run.stdout.on('data', chunk => output.push(chunk));
    await once(run, 'close');
    const text = Buffer.concat(output).toString();
    // A machine may deny namespaces to users other than root; the test then says so.
    if (!/^none /m.test(text)) expect(text).toBe('a\n65534\nbubblewrap null 0\n');
    else expect(text).toMatch(/^none bubblewrap does not work here: ./m);
  });

  it('limits the number of processes', async () => {
    const { output } = await run('grep "^Max processes" /proc/self/limits');
    const [soft, hard] = output.match(/\d+/g)!.map(Number);
    expect(soft).toBe(hard);
    expect(hard).toBeLessThanOrEqual(MAX_PROCESSES);
  });

  it('is looked for again if no temporary folder could be created to test it', async () => {
    const env = { ...process.env, HOME: home };
    vi.stubEnv('TMPDIR', join(await realpath('/proc/self/exe'), 'tmp'));
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(findSandbox(env)).rejects.toThrow('ENOTDIR');
    vi.unstubAllEnvs();
    expect((await findSandbox(env)).kind).toBe('bubblewrap');
  });

  it('is tried again with more time if it does not answer, and its absence is never assumed', async () => {
    const program = join(top, 'bwrap');
    // Only the first attempt hangs, in a process of its own that keeps the output open.
    const hangs = 'if mkdir "$0.slow" 2> /dev/null; then sleep 600; fi';
    await writeFile(program, `#!/bin/sh\n${hangs}\n`, { mode: 0o755 });
    expect(await trySandbox(program, process.env, [1000, 60_000])).toMatchObject({ kind: 'bubblewrap' });
    await rm(`${program}.slow`, { recursive: true });
    await expect(trySandbox(program, process.env, [1000])).rejects.toMatchObject({ code: 'E_SANDBOX_SLOW' });
    await writeFile(program, '#!/bin/sh\necho "bwrap: setting up uid map: not permitted." >&2; exit 1\n');
    expect(await trySandbox(program, process.env)).toEqual({
      kind: 'none',
      why: 'bubblewrap does not work here: bwrap: setting up uid map: not permitted',
    });
    await chmod(program, 0o644);
    expect(await trySandbox(program, process.env)).toMatchObject({
      kind: 'none',
      why: expect.stringContaining('EACCES'),
    });
  });

  it('is not counted as absent if the system cannot start a program now', async () => {
    const program = join(top, 'bwrap');
    await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
    // ETXTBSY: a program that is open for writing cannot be executed.
    const writing = await open(program, 'r+');
    onTestFinished(() => writing.close());
    await expect(trySandbox(program, process.env)).rejects.toMatchObject({
      code: 'E_SANDBOX_SLOW',
      message: expect.stringContaining('ETXTBSY'),
    });
  });

  it('with DURE_SANDBOX=none, no sandbox is used, and the reason is given', async () => {
    expect(await findSandbox({ ...process.env, DURE_SANDBOX: 'none' })).toEqual({
      kind: 'none',
      why: 'DURE_SANDBOX is none',
    });
  });
});
