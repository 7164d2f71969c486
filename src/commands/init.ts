import { Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { dureError } from '../errors.ts';
import { addExclusions } from '../exclusions/add.ts';
import { findExclusions } from '../exclusions/find.ts';
import type { Finding } from '../exclusions/finding.ts';
import { diffOf } from '../exclusions/shown.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { bring } from '../predecessor/bring.ts';
import { findPredecessor, ORCHESTRAL_DIR } from '../predecessor/find.ts';
import { findProject } from '../project.ts';
import { confirm, isInteractive } from '../terminal/ask.ts';
import { done, mind } from '../terminal/marked.ts';
import { paint } from '../terminal/paint.ts';
import { consentHint, setUp } from '../terminal/set-up.ts';
import { columns, oneLine, wrap } from '../terminal/text.ts';
import { words } from '../words/cli/words.ts';

export default class Init extends BaseCommand<typeof Init> {
  static override summary = 'Make this project ready for Dure.';
  static override description =
    'Writes the configuration files that are missing under .dure/config and asks once for the word without which agents are not started. Offers the line by which each tool at the root leaves .dure/ alone, and to bring over what .orchestral/ holds. May be repeated: what is there stays as it is.';
  static override examples = [
    { command: '<%= config.bin %> <%= command.id %>', description: 'Set up, question by question.' },
    { command: '<%= config.bin %> <%= command.id %> --yes --allow-bypass', description: 'For scripts.' },
  ];
  static override flags = {
    yes: Flags.boolean({
      default: false,
      char: 'y',
      description:
        'Ask nothing and take what is offered. Agents are not allowed unless --allow-bypass says so.',
    }),
    'allow-bypass': Flags.boolean({
      allowNo: true,
      description: 'Your word that agents may work without permission prompts in this project.',
    }),
    backend: Flags.string({ description: 'Coding-agent CLI that plays the roles.', helpValue: 'NAME' }),
    exclude: Flags.boolean({
      allowNo: true,
      description: 'Add the lines by which vitest, jest, eslint and others leave .dure/ alone.',
    }),
    'bring-over': Flags.boolean({
      allowNo: true,
      description: `Bring configuration and runs of ${ORCHESTRAL_DIR}/ over; the original stays as it is.`,
    }),
  };

  async run() {
    const plugins = await this.plugins();
    const { backend } = this.flags;
    const known = plugins.backends.map(b => b.name);
    if (backend !== undefined && !known.includes(backend))
      throw dureError('E_BACKEND_UNKNOWN', { name: backend, known: known.join(', ') });
    const sections = Object.keys(plugins.configShapes);
    const ready = await setUp(await this.root(), {
      bypass: this.flags['allow-bypass'],
      backend,
      mayAsk: this.mayAsk,
      plugins: sections,
    });
    const { project, written } = ready;
    const w = words().init;
    this.log(
      done(
        written.length > 0
          ? w.written(written.map(name => `.dure/config/${name}.json`).join(', '))
          : w.already(project.dure),
      ),
    );
    const predecessor = await this.predecessor(project, sections, written.length > 0);
    const exclusions = await this.exclusions(project.root);
    if (!ready.bypass && ready.backend !== 'rehearsal') this.log(mind(consentHint()));
    this.log(`\n${w.next} ${paint('cyan', `dure start "${w.task}"`)}`);
    this.log(`${w.orElse} ${paint('cyan', 'dure demo')}`);
    return {
      project: project.root,
      written,
      allow_bypass: ready.bypass,
      backend: ready.backend,
      exclusions,
      predecessor,
    };
  }

  private get mayAsk(): boolean {
    return isInteractive() && !this.flags.yes && !this.jsonEnabled();
  }

  /** The person's word: by flag, by --yes, or at the keyboard. */
  private async agreed(flag: boolean | undefined, question: string): Promise<boolean> {
    return flag ?? (this.flags.yes || (this.mayAsk && (await confirm(question))));
  }

  private async exclusions(root: string) {
    const { findings, edits } = await findExclusions(root);
    const diffs = await Promise.all(edits.map(diffOf));
    const offered = findings.filter(finding => finding.is === 'offered');
    const w = words().init;
    if (offered.length > 0) {
      this.log(`\n${wrap(w.taken(toolsOf(offered)), columns())}\n`);
      for (const diff of diffs) this.log(painted(diff));
    }
    const wanted = offered.length > 0 && (await this.agreed(this.flags.exclude, w.add));
    const added = wanted ? await addExclusions(root, edits) : [];
    if (added.length > 0) this.log(done(w.added(added.join(', '))));
    const open = edits.map(edit => edit.file).filter(file => !added.includes(file));
    if (open.length > 0) this.log(mind(w.notAdded(open.join(', '))));
    for (const finding of findings)
      if (finding.is === 'by-hand')
        this.log(`${mind(w.byHand(finding.tool, finding.file))}\n    ${finding.add}`);
    return { findings: findings.map(shown), diffs, added };
  }

  private async predecessor(project: ProjectFiles, plugins: readonly string[], isNew: boolean) {
    const found = await findPredecessor(project);
    const flag = this.flags['bring-over'];
    // Later on, settings of the person must not be taken for ones that nobody has made.
    const config = isNew || flag ? (found?.config ?? []) : [];
    if (!found || (config.length === 0 && found.runs.length === 0)) return null;
    const w = words().init;
    const held = w.found(`${ORCHESTRAL_DIR}/`, config.length > 0, found.runs.length);
    this.log(`\n${wrap(held, columns())}`);
    const offer = { config, runs: found.runs };
    if (!(await this.agreed(flag, w.bring))) {
      this.log(mind(w.notBrought));
      return { found: offer, brought: null };
    }
    const brought = await bring(project, { ...found, config }, plugins);
    this.log(done(w.brought(brought.config.length, brought.runs.length, brought.decisions)));
    for (const note of brought.notes) this.log(mind(oneLine(note)));
    return { found: offer, brought };
  }

  /** Below a project that is set up, it is that one which is meant. */
  private async root(): Promise<string> {
    const above: ProjectFiles | null = await findProject(this.where).catch(() => null);
    return above?.root ?? this.where;
  }
}

const toolsOf = (findings: readonly Finding[]): string => findings.map(finding => finding.tool).join(', ');

/** For `--json`: a finding without the whole text of a file. */
const shown = (finding: Finding) => ({
  tool: finding.tool,
  file: finding.file,
  is: finding.is,
  say: finding.is === 'covered' ? finding.why : finding.is === 'by-hand' ? finding.add : null,
});

const painted = (diff: string): string =>
  diff
    .split('\n')
    .map(line =>
      /^\+(?!\+\+)/.test(line) ? paint('green', line) : /^-(?!--)/.test(line) ? paint('red', line) : line,
    )
    .join('\n');
