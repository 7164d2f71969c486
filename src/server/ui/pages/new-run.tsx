/** `/run/new`: the editor for a briefing. The draft stays in this browser until it is sent. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { StartBody } from '../../http-protocol.ts';
import { api } from '../connection/api-client.ts';
import { Refusal } from '../connection/refusal-error.ts';
import { groupsOf } from '../fields-from-schema.ts';
import { useDraft } from '../hooks/use-draft.ts';
import { sendsForm } from '../keyboard-shortcuts.ts';
import { SubmitButton } from '../parts/button-needing-connection.tsx';
import { Checkbox, Choice, Field } from '../parts/form-fields.tsx';
import { Prose } from '../parts/lazy-markdown.tsx';
import { ErrorState } from '../parts/placeholders.tsx';
import { useWords } from '../preferences.ts';
import { useTitle } from '../tab-title.ts';

const EMPTY = { briefing: '', base: '', budget: '', backend: '', pipeline: '', yes: false };
type Draft = typeof EMPTY;
/** Below this number of words, the page warns that the Refiner will ask questions. */
const FEW_WORDS = 12;

const bodyOf = (draft: Draft): StartBody => ({
  briefing: draft.briefing,
  ...(draft.base.trim() ? { base: draft.base.trim() } : {}),
  ...(draft.budget.trim() ? { budget_usd: Number(draft.budget) } : {}),
  ...(draft.backend.trim() ? { backend: draft.backend.trim() } : {}),
  ...(draft.pipeline ? { pipeline: draft.pipeline } : {}),
  ...(draft.yes ? { yes: true } : {}),
});
interface DraftProps {
  readonly draft: Draft;
  write(draft: Draft): void;
}
const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

export default function NewRun() {
  const w = useWords();
  useTitle(w.places.create);
  const [draft, write, discard] = useDraft<Draft>('briefing', EMPTY);
  const [, go] = useLocation();
  const start = useMutation({
    mutationFn: api.start,
    onSuccess: ({ run_id }) => {
      discard();
      go(`/run/${run_id}`);
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (draft.briefing.trim() !== '' && !start.isPending) start.mutate(bodyOf(draft));
  };
  return (
    <form onSubmit={send} onKeyDown={sendsForm}>
      <div className="head">
        <div>
          <h1>{w.places.create}</h1>
          <p className="about">{w.create.lead}</p>
        </div>
      </div>
      <div className="two">
        <div className="stack">
          <BriefingEditor draft={draft} write={write} />
          {start.isError && <ErrorState error={start.error} />}
          {start.error instanceof Refusal && start.error.problem.code === 'E_COMMANDS_CHANGED' && (
            <button
              type="button"
              onClick={() => start.mutate({ ...bodyOf(draft), accept_commands: true })}
              disabled={start.isPending}
            >
              {w.create.runCommands}
            </button>
          )}
          <div className="row">
            <SubmitButton
              type="submit"
              className="main"
              disabled={draft.briefing.trim() === '' || start.isPending}
            >
              {start.isPending ? w.create.starting : w.create.start}
            </SubmitButton>
            <button type="button" className="plain" disabled={draft === EMPTY} onClick={discard}>
              {w.create.discard}
            </button>
          </div>
        </div>
        <aside className="stack">
          <section className="sheet" aria-labelledby="hints">
            <h2 id="hints">{w.create.hints}</h2>
            <p className="judged" role="status">
              {briefingHint(w, draft.briefing)}
            </p>
            <ul className="dotted">
              {w.create.hint.map(hint => (
                <li key={hint}>{hint}</li>
              ))}
            </ul>
          </section>
          <Options draft={draft} write={write} />
        </aside>
      </div>
    </form>
  );
}

function BriefingEditor({ draft, write }: DraftProps) {
  const w = useWords();
  const [previewing, setPreviewing] = useState(false);
  return (
    <div className="editor">
      <div className="editor-bar">
        <fieldset className="tabs">
          <legend className="unseen">{w.run.briefing}</legend>
          {[false, true].map(which => (
            <button
              key={String(which)}
              type="button"
              className="plain small"
              aria-pressed={previewing === which}
              onClick={() => setPreviewing(which)}
            >
              {which ? w.create.preview : w.create.write}
            </button>
          ))}
        </fieldset>
        <button
          type="button"
          className="plain small"
          disabled={draft.briefing.trim() !== ''}
          onClick={() => write({ ...draft, briefing: w.create.templateText })}
        >
          {w.create.template}
        </button>
      </div>
      {previewing ? (
        <div className="editor-page">
          <h2 className="unseen">{w.create.preview}</h2>
          {draft.briefing.trim() ? <Prose text={draft.briefing} /> : <p className="soft">{w.create.empty}</p>}
        </div>
      ) : (
        <textarea
          className="editor-page mono"
          aria-label={w.run.briefing}
          placeholder={w.create.placeholder}
          spellCheck
          value={draft.briefing}
          maxLength={200_000}
          onChange={event => write({ ...draft, briefing: event.target.value })}
        />
      )}
      <p className="editor-foot soft">
        <span>{w.create.words(wordsIn(draft.briefing))}</span>
        <span>{w.create.draft}</span>
      </p>
    </div>
  );
}

function briefingHint(w: ReturnType<typeof useWords>, briefing: string): string {
  if (briefing.trim() === '') return w.create.missing.empty;
  if (wordsIn(briefing) < FEW_WORDS) return w.create.missing.short;
  if (!/^\s*(?:[-*+]|\d+\.)\s+\S/m.test(briefing)) return w.create.missing.criteria;
  return w.create.missing.fine;
}

function Options({ draft, write }: DraftProps) {
  const w = useWords();
  const config = useQuery({ queryKey: ['config'], queryFn: api.config });
  const file = config.data?.find(one => one.name === 'global');
  const global = file?.value;
  const fields = groupsOf(file?.schema ?? {}).flatMap(group => group.fields);
  /** A select field with the known names. The empty choice means the name from the configuration. */
  const choice = (key: 'backend' | 'pipeline', label: string) => (
    <Field label={label} id={key}>
      <Choice
        id={key}
        options={['', ...(fields.find(field => field.path === key)?.choices ?? [])]}
        none={w.create.asConfigured + (typeof global?.[key] === 'string' ? ` (${global[key]})` : '')}
        value={draft[key]}
        change={value => write({ ...draft, [key]: value })}
      />
    </Field>
  );
  const text = (key: 'base' | 'budget', label: string, extra: React.ComponentProps<'input'>) => (
    <Field label={label} id={key}>
      <input
        id={key}
        {...extra}
        value={draft[key]}
        onChange={event => write({ ...draft, [key]: event.target.value })}
      />
    </Field>
  );
  return (
    <section className="sheet stack" aria-labelledby="options">
      <h2 id="options">{w.create.options}</h2>
      {text('base', w.create.base, {
        placeholder: 'HEAD',
        title: w.create.baseHint,
        maxLength: 200,
        spellCheck: false,
      })}
      {text('budget', w.create.budget, {
        type: 'number',
        min: 0.01,
        step: 'any',
        placeholder: typeof global?.['budget_usd'] === 'number' ? String(global['budget_usd']) : w.state.none,
      })}
      {choice('pipeline', w.create.pipeline)}
      {choice('backend', w.create.backend)}
      <Checkbox
        id="yes"
        label={w.create.recommend}
        checked={draft.yes}
        change={yes => write({ ...draft, yes })}
      />
    </section>
  );
}
