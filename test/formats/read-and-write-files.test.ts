import { execFile } from 'node:child_process';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  create,
  load,
  readFormat,
  readText,
  replace,
  replaceJson,
  SIZE_LIMIT,
} from '../../src/formats/read-and-write-files.ts';
import { defineFile } from '../../src/formats/schema/define-file.ts';

const run = promisify(execFile);
/** Root may read and write anywhere: permission errors need another user. */
const isRoot = process.getuid?.() === 0;
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "dure formats '$(x)' "));
});
afterEach(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));

const at = (name: string) => join(dir, name);
const note = defineFile('note.json', 'A note.', z.strictObject({ says: z.string() }));

describe('reading', () => {
  test('a regular file yields its text, whatever it contains', async () => {
    await writeFile(at('a'), 'é✓\n\u0000');
    expect(await readText(at('a'))).toBe('é✓\n\u0000');
    await writeFile(at('empty'), '');
    expect(await readText(at('empty'))).toBe('');
  });

  test('a missing file yields null, even below something that is not a folder', async () => {
    expect(await readText(at('none'))).toBeNull();
    await writeFile(at('file'), 'x');
    expect(await readText(join(at('file'), 'below'))).toBeNull();
  });

  test('a symbolic link is refused, even one to a regular file next to it', async () => {
    await writeFile(at('secret'), 'x');
    await symlink(at('secret'), at('link'));
    await symlink(at('nowhere'), at('dangling'));
    await expect(readText(at('link'))).rejects.toThrow('cannot be read: it is a symbolic link');
    await expect(readText(at('dangling'))).rejects.toThrow('cannot be read: it is a symbolic link');
  });

  test('a pipe is refused without blocking', async () => {
    await run('mkfifo', [at('pipe')]);
    await expect(readText(at('pipe'))).rejects.toThrow('cannot be read: it is not a regular file');
  });

  test('a folder, a device and a socket are refused', async () => {
    await mkdir(at('folder'));
    const server = createServer();
    await new Promise<void>(resolve => server.listen(join(dir, 's'), resolve));
    try {
      for (const path of [at('folder'), '/dev/zero', '/dev/tty0', at('s')]) {
        if (await stat(path).catch(() => null))
          await expect(readText(path), path).rejects.toMatchObject({ code: 'E_FILE_UNREADABLE' });
      }
    } finally {
      await new Promise(resolve => server.close(resolve));
    }
  });

  test('a file larger than the limit is refused before it is read', async () => {
    await writeFile(at('a'), 'x'.repeat(11));
    await expect(readText(at('a'), 10)).rejects.toThrow('it has 11 bytes; the limit is 10');
    expect(await readText(at('a'), 11)).toHaveLength(11);
    await run('truncate', ['-s', String(SIZE_LIMIT * 1000), at('sparse')]);
    await expect(readText(at('sparse'))).rejects.toThrow(`the limit is ${SIZE_LIMIT}`);
  });

  test.skipIf(isRoot)('an unreadable file is refused with the reason', async () => {
    await writeFile(at('a'), 'x');
    await chmod(at('a'), 0);
    await expect(readText(at('a'))).rejects.toThrow('no read permission');
  });

  test("reading an agent's file yields absent, a value or invalid, and never throws", async () => {
    expect(await readFormat(note, at('a.json'))).toEqual({ is: 'absent' });
    await writeFile(at('a.json'), '{"says": "hello"}');
    expect(await readFormat(note, at('a.json'))).toMatchObject({ is: 'value', value: { says: 'hello' } });
    for (const wrong of ['', '{', '{"says": 1}', '{"says": "a", "says": "b"}', '{"says": "a", "more": 1}']) {
      await writeFile(at('a.json'), wrong);
      expect(await readFormat(note, at('a.json')), wrong).toMatchObject({ is: 'invalid' });
    }
    await rm(at('a.json'));
    await symlink('/etc/passwd', at('a.json'));
    expect(await readFormat(note, at('a.json'))).toEqual({ is: 'invalid', problem: 'it is a symbolic link' });
  });

  test("reading a damaged file of Dure's own throws an error that names the file, key and problem", async () => {
    expect(await load(note, at('a.json'))).toBeNull();
    await writeFile(at('a.json'), '{"says": 7}');
    await expect(load(note, at('a.json'))).rejects.toMatchObject({
      code: 'E_FILE_INVALID',
      message: expect.stringMatching(/a\.json is not valid:\nsays: expected string, received number/),
    });
  });
});

describe('writing', () => {
  test('a file is replaced atomically, its folders are created, and no temporary files are left behind', async () => {
    const file = join(dir, 'x', 'y', 'a.json');
    await replaceJson(file, { says: 'one' });
    await replaceJson(file, { says: 'two' });
    expect(await readFile(file, 'utf8')).toBe('{\n  "says": "two"\n}\n');
    expect(await readdir(join(dir, 'x', 'y'))).toEqual(['a.json']);
  });

  test('a concurrent reader sees either the old or the new text, never a partial write', async () => {
    const texts = ['a', 'b'].map(char => char.repeat(300_000));
    await replace(at('a'), texts[0]!);
    let writing = true;
    const writer = (async () => {
      for (let n = 1; n <= 40; n += 1) await replace(at('a'), texts[n % 2]!);
      writing = false;
    })();
    let looks = 0;
    while (writing) {
      expect(texts).toContain(await readFile(at('a'), 'utf8'));
      looks += 1;
    }
    await writer;
    expect(looks).toBeGreaterThan(0);
  });

  test('replacing a file breaks a hard link instead of writing through it', async () => {
    await writeFile(at('mine'), 'precious');
    await link(at('mine'), at('a'));
    await replace(at('a'), 'new');
    expect(await readFile(at('mine'), 'utf8')).toBe('precious');
  });

  test('when several writers create the same file, one succeeds and its text is kept', async () => {
    const texts = Array.from({ length: 20 }, (_, n) => `text ${n} `.repeat(1000));
    const made = await Promise.all(texts.map(text => create(at('a'), text)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await readFile(at('a'), 'utf8')).toBe(texts[made.indexOf(true)]);
    expect(await readdir(dir)).toEqual(['a']);
  });

  test.skipIf(isRoot)('a missing permission is reported to the user with a suggestion', async () => {
    await mkdir(at('ro'), { mode: 0o500 });
    for (const write of [replace, create])
      await expect(write(join(at('ro'), 'a'), 'x')).rejects.toMatchObject({
        code: 'E_DISK',
        message: expect.stringContaining('no write permission'),
      });
  });
});
