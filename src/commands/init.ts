import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Flags } from '@oclif/core';
import { requireSandbox } from '../daemon/check-consent-and-sandbox.ts';
import { knownBackend } from '../daemon/choose-backend.ts';
import type { Finding } from '../doctor/finding.ts';
import { findIgnoreLines, type IgnoreAdvice } from '../doctor/tool-ignore-lines/find-ignore-lines.ts';
import { SANDBOX_MODES } from '../formats/agent-sandbox.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import type { Contributions } from '../plugins/load-contributions.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { consentHint, reportIfSlow, setUpProject } from '../terminal/init-project.ts';
import { doneLine, warningLine } from '../terminal/message-line.ts';
import { offerSettings } from '../terminal/offer-settings.ts';
import { paint } from '../terminal/paint.ts';
import { confirm, isInteractive } from '../terminal/prompt-for-input.ts';
import { untilSignal } from '../terminal/signals.ts';
import { findingJson, findingView } from '../terminal/views/doctor-finding-view.ts';
import { words } from '../words/cli/load-language.ts';
import { findProject } from '../workspace/project/find-project.ts';
import { newProjectRoot, type ProjectRoot } from '../workspace/project/new-project-root.ts';

/** Findings that `init` reports itself. */
const REPORTED = /^(?:consent$|agent-sandbox$|setting:|ignore-line)/;

export default class Init extends BaseCommand<typeof Init> {
  static override summary = 'Set up Dure in this project.';
  static override description =
    "Writes missing configuration files to .dure/config in the root of the repository, and asks once for your consent; no agent is started without it. Proposes a command that installs dependencies, and the project's own checks. Shows the lines to add so that tools configured in the root folder ignore .dure/, and the command that imports .orchestral/. Then runs `dure doctor --quick`. Safe to run again: existing files are kept.";
  static override examples = [
    { command: '<%= config.bin %> <%= command.id %>', description: 'Set up interactively.' },
    {
      command: '<%= config.bin %> <%= command.id %> --yes --allow-bypass',
      description: 'Set up from a script.',
    },
  ];
  static override flags = {
    yes: Flags.boolean({
      default: false,
      char: 'y',
      description: 'Accept all proposals without asking. Consent for agents still requires --allow-bypass.',
    }),
    'allow-bypass': Flags.boolean({
      allowNo: true,
      description: 'Consent to agents working without permission prompts in this project.',
    }),
    sandbox: Flags.option({
      options: SANDBOX_MODES,
      description:
        'Whether agents run in a sandbox (Linux with bubblewrap). Without this flag, Dure proposes standard for a new project if the sandbox works on this machine; --yes accepts that.',
    })(),
    backend: Flags.string({ description: 'Coding-agent CLI that plays the roles.', helpValue: 'NAME' }),
  };

  async run() {
    const plugins = await this.plugins();
    const { backend } = this.flags;
    if (backend !== undefined) knownBackend(backend, plugins.backends);
    const sections = Object.keys(plugins.configShapes);
    const { root, directory } = await this.place();
    const ready = await setUpProject(root, {
      directory,
      bypass: this.flags['allow-bypass'],
      sandbox: (await this.sandbox()) ?? (this.flags.yes ? 'found' : undefined),
      backend,
      mayAsk: this.mayAsk,
      plugins: sections,
    });
    const { project, written } = ready;
    const w = words().init;
    this.log(
      doneLine(
        written.length > 0
          ? w.written(written.map(name => `.dure/config/${name}.json`).join(', '))
          : w.already(project.dure),
      ),
    );
    this.log(
      ready.sandbox === 'off' ? warningLine(w.agentsWithout) : doneLine(w.agentsInSandbox(ready.sandbox)),
    );
    const proposals = await offerSettings(
      project,
      sections,
      question => this.agreed(undefined, question),
      line => this.log(line),
    );
    const exclusions = await this.exclusions(project.root);
    if (!ready.bypass && ready.sandbox === 'off' && ready.backend !== 'rehearsal')
      this.log(warningLine(consentHint()));
    const findings = await this.findings(project, plugins);
    const imports = existsSync(join(project.root, '.orchestral')) ? 'dure import-orchestral' : null;
    if (imports) this.log(`\n${w.imports('.orchestral/')} ${paint('cyan', imports)}`);
    this.log(`\n${w.next} ${paint('cyan', `dure start "${w.task}"`)}`);
    this.log(`${w.check} ${paint('cyan', 'dure doctor')}`);
    this.log(`${w.orElse} ${paint('cyan', 'dure demo')}`);
    return {
      project: project.root,
      written,
      allow_bypass: ready.bypass,
      sandbox: ready.sandbox,
      backend: ready.backend,
      proposals,
      exclusions,
      imports,
      findings: findings.map(findingJson),
    };
  }

  /** Runs the quick part of `dure doctor`. Does not show findings that `init` has already reported itself. */
  private async findings(project: ProjectFiles, plugins: Contributions): Promise<Finding[]> {
    const { examineProject } = await import('../doctor/run-examinations.ts');
    const findings: Finding[] = [];
    const ask = { project, plugins, quick: true, shell: process.env };
    const report = (finding: Finding) => findings.push(finding);
    await untilSignal(signal => examineProject({ ...ask, signal, report, begin: () => {} }));
    const faults = findings.filter(({ status, name }) => status !== 'ok' && !REPORTED.test(name));
    for (const fault of faults) this.log(findingView(fault));
    return findings;
  }

  /** Throws `E_SANDBOX` if the requested sandbox does not work here. */
  private async sandbox() {
    const mode = this.flags.sandbox;
    if (mode !== undefined) await reportIfSlow(requireSandbox(process.env, { mode }));
    return mode;
  }

  private get mayAsk(): boolean {
    return isInteractive() && !this.flags.yes && !this.jsonEnabled();
  }

  /** Whether the user agrees, by the flag, by --yes or at the prompt. */
  private async agreed(flag: boolean | undefined, question: string): Promise<boolean> {
    return flag ?? (this.flags.yes || (this.mayAsk && (await confirm(question))));
  }

  private async exclusions(root: string) {
    const findings = await findIgnoreLines(root);
    for (const finding of findings)
      if (finding.is === 'needed')
        this.log(`${warningLine(words().init.leaveOut(finding))}\n    ${finding.add}`);
    return findings.map(shown);
  }

  /** Returns the project that contains the start folder; if there is none, the folder to set up as a project. */
  private async place(): Promise<ProjectRoot> {
    const above: ProjectFiles | null = await findProject(this.startFolder).catch(() => null);
    if (above) return { root: above.root, directory: '.' };
    const place = await newProjectRoot(this.startFolder);
    if (place.root === this.startFolder) return place;
    const w = words().init;
    this.log(warningLine(w.atTop(place.root, place.directory)));
    const here = this.mayAsk && !(await confirm(w.setUpThere));
    return here ? { root: this.startFolder, directory: '.' } : place;
  }
}

/** Returns the finding as `--json` prints it. */
const shown = (finding: IgnoreAdvice) => ({
  tool: finding.tool,
  file: finding.file,
  is: finding.is,
  say: finding.is === 'covered' ? finding.why : finding.add,
});
