/** The command line in Korean: nothing of what Dure says to people is left in English. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { type Command, captions, translate } from '../../src/words/cli/ko-help.ts';
import { usage } from '../../src/words/cli/ko-usage.ts';
import { type TestProject, testProject } from '../helpers/project.ts';
import { FAILED, prepareRun, READY, STARTED } from './prepared.ts';

type Known = Command & { hidden?: boolean; flags: Record<string, { hidden?: boolean }> };
const known = (): Known[] => {
  const text = readFileSync(join(packageRoot, 'oclif.manifest.json'), 'utf8');
  const { commands } = JSON.parse(text) as { commands: Record<string, Known> };
  return Object.values(commands).filter(({ hidden }) => !hidden);
};
const HANGUL = /[가-힣]/;
const captionsOf = ({ examples = [] }: Command): string[] =>
  examples.flatMap(example => (typeof example === 'string' ? [] : [example.description]));

describe('help in Korean', () => {
  it.each(known().map(command => [command.id, command] as const))(
    'of %s has words of its own for everything that English help tells',
    (_, english) => {
      const korean = structuredClone(english);
      translate(korean);
      expect(korean.summary).toMatch(HANGUL);
      expect(korean.description ?? '').toEqual(
        english.description && english.summary ? expect.stringMatching(HANGUL) : '',
      );
      for (const kind of ['args', 'flags'] as const)
        for (const [name, one] of Object.entries(korean[kind]))
          if (!(one as { hidden?: boolean }).hidden) expect(one.description, name).toMatch(HANGUL);
      for (const caption of captionsOf(korean)) expect(caption).toMatch(HANGUL);
    },
  );

  it('keeps no caption of an example that is gone', () => {
    expect(Object.keys(captions).sort()).toEqual([...new Set(known().flatMap(captionsOf))].sort());
  });

  it('says of a flag what it does in that command, though others have one of that name', () => {
    const said = (id: string, flag: string) => {
      const command = known().find(one => one.id === id)!;
      translate(command);
      return command.flags[flag]!.description;
    };
    expect(said('clean', 'force')).not.toBe(said('plugins:install', 'force'));
    expect(said('init', 'yes')).not.toBe(said('clean', 'yes'));
  });

  it('leaves the words of a command that a plugin brings', () => {
    const stranger = {
      id: 'tidy',
      summary: 'Tidy up.',
      args: {},
      flags: { force: { description: 'By force.' } },
    };
    translate(stranger);
    expect(stranger).toMatchObject({ summary: 'Tidy up.', flags: { force: { description: 'By force.' } } });
  });
});

describe('at the command line, in Korean', () => {
  const IDS = { failed: 'run-20260131-142201', ready: 'run-20260131-142202', left: 'run-20260131-142203' };
  let project: TestProject;
  beforeAll(async () => {
    project = await testProject();
    project.env['DURE_LANG'] = 'ko';
    await project.dure(['init', '--yes', '--backend', 'rehearsal']);
    await prepareRun(project, IDS.failed, FAILED);
    await prepareRun(project, IDS.ready, READY);
    await prepareRun(project, IDS.left, STARTED);
  });
  afterAll(() => project?.remove());

  it.each([
    [['status', '--nonsense'], '그런 옵션은 없습니다: --nonsense'],
    [['status', 'run-1', 'run-2'], '필요 없는 인자가 있습니다: run-2'],
    [['config', 'set'], '필요한 인자가 없습니다: key, value'],
    [['wait', '--for', 'godot'], '--for 옵션에 godot 값은 없습니다. 가능한 값: human, done'],
    [['completion', 'csh'], 'csh 값은 없습니다. 가능한 값: bash, zsh, fish'],
    [['start', 'x', '--file'], '--file 옵션에는 값이 필요합니다.'],
    [['wait', '--for'], '--for 옵션에는 값이 필요합니다. 가능한 값: human, done'],
    [['start', 'x', '--port', 'no'], '--port: no: 정수가 아닙니다.'],
    [['start', 'x', '--port', '-1'], '--port: -1: 0 이상의 정수여야 합니다.'],
    [['start', 'x', '--port', '70000'], '--port: 70000: 65535 이하의 정수여야 합니다.'],
    [['start', 'x', '-f', 'a', '-f', 'b'], '--file 옵션은 한 번만 쓸 수 있습니다.'],
    [['review', '--diff', '--evidence'], '옵션은 함께 쓸 수 없습니다.'],
    [['start', 'x', '--budget', 'lots'], 'lots: 미국 달러 금액이 아닙니다.'],
    [['start', 'x', '--file', 'README.md'], '브리핑이 둘입니다.'],
    [['start', '--file', 'nowhere.md'], 'nowhere.md 파일이 없습니다.'],
    [['config', 'set', 'builder', '5'], '아는 설정: builder.model'],
    [['config', 'get', 'max_iterations.x'], '하위 설정이 없습니다.'],
    [['help', 'nonsense'], 'nonsense: 그런 dure 명령은 없습니다.'],
  ] as const)('%j is told to be wrong', async (args, said) => {
    const { stderr, stdout } = await project.dure(args);
    expect(stderr.replace(/\s+/g, ' ')).toContain(said);
    expect(stderr).toContain('해결:');
    expect(stdout).toBe('');
    expect((await project.dureJson(args)).json.error!.message).not.toMatch(HANGUL);
  });

  it('a sentence of the parser that is not known stays as it is', () => {
    expect(usage('Something new')).toBe('Something new');
  });

  it('init tells what it wrote, what it offers, and what comes next', async () => {
    const fresh = await testProject({
      '.prettierrc': '{}\n',
      'jest.config.js': 'module.exports = make();\n',
      'package.json': '{}\n',
    });
    try {
      const env = { DURE_LANG: 'ko' };
      const first = (await fresh.dure(['init'], { env })).stdout;
      expect(first).toMatch(
        /만들었습니다:.*npm install.*쓰지 않았습니다.*읽는 도구: prettier.*\.prettierignore/s,
      );
      expect(first).toMatch(/다음: dure start "할 일"/);
      const again = (await fresh.dure(['init', '--yes'], { env })).stdout;
      expect(again).toMatch(/이미 준비되어 있습니다.*만들었습니다: \.dure\/config\/global\.json/s);
      expect(again).not.toMatch(/\b(Written|Added|Not|Next|would|Commit|This)\b/);
    } finally {
      await fresh.remove();
    }
  });

  it('clean says what goes, why others stay, and in JSON the same in English', async () => {
    const { stdout } = await project.dure(['clean', '--dry-run', '--state', 'failed,ready_for_merge']);
    expect(stdout).toMatch(/^지워질 실행\n {2}run-\S+ +실패/);
    expect(stdout).toMatch(/남는 실행\n/);
    expect(stdout).toContain('상태: 병합 준비됨. --force를 쓰면 지웁니다');
    expect(stdout).not.toMatch(/\b(it|is|removed|Stays)\b/);
    const { json } = await project.dureJson(['clean', '--dry-run', '--state', 'failed,ready_for_merge']);
    expect(JSON.stringify(json)).not.toMatch(HANGUL);
    expect((await project.dure(['clean', IDS.failed, '--yes'])).stdout).toContain('지웠습니다: 1개');
    expect((await project.dure(['clean'])).stdout).toContain('지울 것이 없습니다.');
  });

  it('completion says in Korean what commands and flags are for', async () => {
    const lines = (await project.dure(['__complete', '--', 'clean', '--f'])).stdout;
    expect(lines).toBe('--force\t끝나지 않았거나 병합하지 않은 실행도 지웁니다.\n');
  });
});
