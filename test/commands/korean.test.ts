/** The Korean command line: messages, questions and errors. Help is English. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestProject, testProject } from '../helpers/test-project.ts';
import { FAILED, prepareRun, READY, STARTED } from './prepared-runs.ts';

const HANGUL = /[가-힣]/;

describe('the command line in Korean', () => {
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
    [['start', 'x', '--budget', 'lots'], 'lots: 미국 달러 금액이 아닙니다.'],
    [['start', 'x', '--file', 'README.md'], '브리핑과 --file을 함께 지정했습니다.'],
    [['start', '--file', 'nowhere.md'], 'nowhere.md 파일이 없습니다.'],
    [['config', 'set', 'builder', '5'], '사용할 수 있는 설정: builder.model'],
    [['config', 'get', 'max_iterations.x'], '상위 설정에 하위 항목이 없습니다.'],
  ] as const)('%j is reported as invalid', async (args, said) => {
    const { stderr, stdout } = await project.dure(args);
    expect(stderr.replace(/\s+/g, ' ')).toContain(said);
    expect(stderr).toContain('해결:');
    expect(stdout).toBe('');
    expect((await project.dureJson(args)).json.error!.message).not.toMatch(HANGUL);
  });

  it("the parser's messages stay in English", async () => {
    const { stderr } = await project.dure(['status', '--nonsense']);
    expect(stderr).toContain('오류: Nonexistent flag: --nonsense');
    expect(stderr).toContain('해결: See `dure status --help`.');
  });

  it('init reports what it wrote, what it proposes, and the next steps', async () => {
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

  it('clean lists removed runs and why others are kept; its JSON is in English', async () => {
    const { stdout } = await project.dure(['clean', '--dry-run', '--state', 'failed,ready_for_merge']);
    expect(stdout).toMatch(/^지워질 실행\n {2}run-\S+ +실패/);
    expect(stdout).toMatch(/남는 실행\n/);
    expect(stdout).toContain('상태: 병합 준비됨. --force를 쓰면 지웁니다');
    expect(stdout).not.toMatch(/\b(it|is|removed|Kept)\b/);
    const { json } = await project.dureJson(['clean', '--dry-run', '--state', 'failed,ready_for_merge']);
    expect(JSON.stringify(json)).not.toMatch(HANGUL);
    expect((await project.dure(['clean', IDS.failed, '--yes'])).stdout).toContain('지웠습니다: 1개');
    expect((await project.dure(['clean'])).stdout).toContain('지울 것이 없습니다.');
  });

  it('help and completion stay in English', async () => {
    expect((await project.dure(['clean', '--help'])).stdout).not.toMatch(HANGUL);
    expect((await project.dure(['__complete', '--', 'clean', '--f'])).stdout).toMatch(/^--force\t[A-Z]/);
  });
});
