/** The English messages of `doctor`. A finding says what was found and how to fix it. */
import { joinEnds, linesOmitted, type OutputEnds } from '../../formats/text/output-head-and-tail.ts';

interface IgnoreLine {
  readonly tool: string;
  readonly file: string;
  readonly add: string;
  readonly how: 'add' | 'create';
}
type FindingText = readonly [seen: string, fix?: string];

export const enDoctor = {
  fix: 'Fix:',
  trying: (command: string) => `Trying on the base commit: ${command}`,
  well: 'A run would work here.',
  warned: (warnings: number) =>
    `A run would work here. See the ${warnings === 1 ? 'warning' : `${warnings} warnings`} above.`,
  quickly:
    'The set-up, the checks and requests to the APIs of the backends were skipped. To include them: `dure doctor`.',

  found: {
    git: (version: string): FindingText => [`git ${version}`],
    gitTooOld: (version: string): FindingText => [`git ${version} is too old.`, 'Install git 2.31 or newer.'],
    identity: (): FindingText => ['git knows your name and e-mail address'],
    noIdentity: (): FindingText => [
      'git does not know your name and e-mail address, so an approval would be refused.',
      'git config --global user.name "Your Name" && git config --global user.email you@example.com',
    ],
    base: (name: string, commit: string): FindingText => [`runs start from ${name} (${commit})`],
    noBranch: (commit: string): FindingText => [
      `HEAD is detached (${commit}): a result cannot be merged into a branch.`,
      'Check out a branch: `git switch BRANCH`.',
    ],
    noRepository: (): FindingText => ['no git repository; runs start from a copy of the files'],
    tmux: (version: string): FindingText => [`tmux ${version}`],
    noTmux: (): FindingText => [
      'tmux 3.0 or newer is not installed: agents run without panes, and `dure attach` does not work.',
      'Install tmux.',
    ],
    sandbox: (program: string): FindingText => [`bubblewrap works (${program})`],
    noSandbox: (why: string): FindingText => [
      `${why}: the set-up, the tests and the checks run without a sandbox and can reach your files.`,
      'Install bubblewrap, allow user namespaces on this machine, and leave DURE_SANDBOX unset.',
    ],
    unusedSandbox: (): FindingText => [
      'agents run with your permissions and without a sandbox, although a sandbox works here',
      'Turn it on: `dure config set sandbox.mode standard`, or `strict` to block the network too.',
    ],
    folders: (folders: readonly string[]): FindingText => [`writable: ${folders.join(', ')}`],
    space: (folder: string, free: number): FindingText => [`${gigabytes(free)} free in ${folder}`],
    littleSpace: (folder: string, free: number): FindingText => [
      `Only ${gigabytes(free)} free in ${folder}.`,
      'Free up disk space; `dure clean` removes old runs.',
    ],
    watches: (): FindingText => ['file watching works'],
    noWatches: (code: string): FindingText => [
      `Files cannot be watched (${code}): Dure checks them once a second instead.`,
      'Raise fs.inotify.max_user_instances and fs.inotify.max_user_watches with sysctl.',
    ],
    backend: (seen: string): FindingText => [seen || 'ready'],
    fault: {
      missing: (program: string, fix?: string): FindingText => [
        `${program} was not found on PATH.`,
        fix ? `Install it: \`${fix}\`.` : 'Install it.',
      ],
      login: (seen: string, fix?: string): FindingText => [
        `not logged in${seen && ` (${seen})`}`,
        fix ? `Run \`${fix}\`, or set an API key in the environment.` : 'Log in.',
      ],
      unreachable: (seen: string, fix?: string): FindingText => [
        `The API does not respond (${seen}).`,
        fix ?? 'Check the network, proxies and the API address.',
      ],
      broken: (seen: string, fix?: string): FindingText => [
        `does not run: ${seen}`,
        fix ? `Install it again: \`${fix}\`.` : 'Install it again.',
      ],
    },
    noChecks: (): FindingText => [
      "none are configured, so Dure does not run the project's own tests",
      'Add the command that runs them: `dure config set checks \'[{"name":"test","command":"…"}]\'`.',
    ],
    noSetup: (): FindingText => ['no set-up command is configured'],
    setup: (command: string): FindingText => [`works on base: ${command}`],
    setupLacks: (command: string, missing: readonly string[]): FindingText => [
      `works on base, but these requirements are not available: ${missing.join(', ')} (${command})`,
      'Check the network and the package index, and remove requirements that no longer exist.',
    ],
    setupFails: (problem: string, output: OutputEnds): FindingText => [
      `fails on base: ${problem}${below(output)}`,
      'Correct the command: `dure config set workspace.setup "…"`.',
    ],
    buildFails: (builds: string, output: OutputEnds): FindingText => [
      `These parts of the set-up fail on base, so runs leave them out: ${builds}${below(output)}`,
      'Fix them, or remove them from workspace.setup.',
    ],
    check: (command: string, passed: number | null): FindingText => [
      `passes on base: ${command}${passed === null ? '' : ` (${passed} passed)`}`,
    ],
    checkFails: (command: string, failed: number | null, output: OutputEnds): FindingText => [
      `fails on base: ${command}${failed === null ? '' : ` (${failed} failed)`}. Only new failures count against a result.${below(output)}`,
      'Fix the failure on base, or change `checks` in .dure/config/global.json.',
    ],
    checkCannotRun: (command: string, why: string, output: OutputEnds): FindingText => [
      `cannot run on base: ${command}: ${why}${below(output)}`,
      'Correct the command in `checks`, or the set-up, in .dure/config/global.json.',
    ],
    submodules: (paths: string): FindingText => [`checked out: ${paths}`],
    submodulesMissing: (paths: string): FindingText => [
      `not checked out, so these folders are empty in a run: ${paths}`,
      'git submodule update --init --recursive',
    ],
    filter: (command: string, files: number): FindingText => [`${command} (${counted(files)})`],
    noFilter: (name: string, files: number): FindingText => [
      `git has no settings for the filter ${name} (${counted(files)}), so a run sees only what git stores in place of the content of these files.`,
      name === 'lfs' ? 'Install Git LFS, then run `git lfs install`.' : `Configure filter.${name}.`,
    ],
    noFilterProgram: (name: string, program: string, files: number): FindingText => [
      `The filter ${name} (${counted(files)}) needs ${program}, which was not found.`,
      'Install it.',
    ],
    ignored: (): FindingText => ['no tool reads files under .dure/'],
    notIgnored: ({ tool, file, add, how }: IgnoreLine): FindingText => [
      `${tool} would also read files under .dure/.`,
      how === 'add' ? `Add to ${file}: ${add}` : `Create ${file} with: ${add}`,
    ],
    notSet: (setting: string, value: string, because: string): FindingText => [
      `not set; detected from ${because}: ${value}`,
      `Run \`dure init\` to write it, or \`dure config set ${setting} …\` to set it yourself.`,
    ],
    rules: (files: number): FindingText => [`prompts quote ${counted(files)}`],
    rulesLeftOut: (paths: string): FindingText => [
      `Omitted from the prompts, or quoted only in part: ${paths}`,
      'See docs/rules.md for the limits.',
    ],
    mcpServer: (what: string): FindingText => [`started with each agent: ${what}`],
    noMcpProgram: (program: string): FindingText => [
      `${program} was not found, so agents work without this MCP server.`,
      'Install it, or remove the name from rules.mcp_servers.',
    ],
  },
};

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
const counted = (files: number): string => `${files} ${files === 1 ? 'file' : 'files'}`;
/** The output of a failed program, starting on a new line; empty if there is none. */
const below = (output: OutputEnds): string => {
  const shown = joinEnds(output, linesOmitted);
  return shown && `\n${shown}`;
};
