import { describe, expect, test } from 'vitest';
import { dureError } from '../../../src/errors.ts';
import {
  asDiskError,
  diskFault,
  printedDiskError,
  untilDiskWorks,
} from '../../../src/formats/file-system/temporary-disk-errors.ts';
import { commandFailure, explain } from '../../../src/terminal/error-output.ts';

const failsWith = (code: string) => Object.assign(new Error(code), { code, path: '/p/state.json' });

describe('a temporary disk error', () => {
  test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])(
    'is recognized, even when it is wrapped in E_DISK: %s',
    code => {
      expect(diskFault(failsWith(code))?.file).toBe('/p/state.json');
      expect(diskFault(asDiskError('/p/events.log', failsWith(code)))?.file).toBe('/p/events.log');
    },
  );

  test("is recognized in git's output", () => {
    const printed = 'error: unable to write file .git/objects/1a/2b: No space left on device\nfatal: failed';
    expect(diskFault(printedDiskError('/p/.git', printed))).toEqual({
      file: '/p/.git',
      why: 'the disk is full',
    });
    expect(printedDiskError('/p/.git', 'fatal: bad object HEAD')).toBeNull();
    expect(printedDiskError('/p/.git', 'remote: fatal: No space left on device')).toBeNull();
  });

  test('is shown by a command as E_DISK, not as a bug with its stack trace', () => {
    const error = failsWith('ENOSPC');
    const failure = commandFailure(error);
    expect(failure).toMatchObject({ code: 'E_DISK', message: expect.stringContaining('/p/state.json') });
    expect(explain(failure, error)).toContain('the disk is full');
    expect(explain(failure, error)).not.toMatch(/^\s*at \S/m);
  });

  test('says whether the file could not be read or could not be written', () => {
    const message = (syscall: string) =>
      asDiskError('/p/state.json', Object.assign(failsWith('EIO'), { syscall }))?.message;
    expect(message('stat')).toBe('/p/state.json could not be read: the disk reports an input/output error.');
    expect(message('write')).toContain('could not be written');
  });

  test('is distinguished from errors due to symlinks, missing permissions, missing files or bugs', () => {
    for (const error of [
      dureError('E_DISK', { file: '/p/events.log', why: 'it is a symbolic link' }),
      dureError('E_DISK', { file: '/p', why: 'no write permission' }, { cause: failsWith('EACCES') }),
      failsWith('ENOENT'),
      new TypeError('x is undefined'),
      'text',
    ])
      expect(diskFault(error)).toBeNull();
  });

  test('interrupts work, which is retried until it succeeds', async () => {
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      if (attempts < 3) throw failsWith('ENOSPC');
      return 'done';
    };
    expect(await untilDiskWorks(work)).toBe('done');
    expect(attempts).toBe(3);
  });

  test('does not hide other errors, and leads to no retry once the signal is aborted', async () => {
    await expect(untilDiskWorks(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
    const signal = AbortSignal.abort();
    await expect(untilDiskWorks(() => Promise.reject(failsWith('EIO')), { signal })).rejects.toThrow('EIO');
  });
});
