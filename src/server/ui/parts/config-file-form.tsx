/** A configuration file as a form, generated from its schema. Saves only changed keys. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { valueAt, withValue } from '../../../formats/config/value-at-path.ts';
import type { ConfigView, Problem } from '../../http-protocol.ts';
import { api } from '../connection/api-client.ts';
import { Refusal } from '../connection/refusal-error.ts';
import { groupsOf } from '../fields-from-schema.ts';
import { sendsForm } from '../keyboard-shortcuts.ts';
import { useWords } from '../preferences.ts';
import { SubmitButton } from './button-needing-connection.tsx';
import { ConfirmDialog } from './dialog.tsx';
import { InlineCode } from './inline-code.tsx';
import { ErrorState } from './placeholders.tsx';
import { SettingField } from './setting-field.tsx';
import { showToast } from './toast.tsx';

type Changes = Readonly<Record<string, unknown>>;

function useSave(file: ConfigView, changes: Changes, onSaved: () => void) {
  const w = useWords();
  const client = useQueryClient();
  return useMutation({
    async mutationFn(confirm: boolean) {
      // Someone else may have changed other keys since this page was loaded.
      const now = (await api.config()).find(one => one.name === file.name) ?? file;
      const value = Object.entries(changes).reduce<Record<string, unknown>>(
        (tree, [path, changed]) => withValue(tree, path, changed),
        now.written,
      );
      return api.configure(file.name, { value, confirm });
    },
    onSuccess: saved => {
      client.setQueryData<ConfigView[]>(['config'], files =>
        files?.map(one => (one.name === saved.name ? saved : one)),
      );
      onSaved();
      showToast(w.settings.saved);
    },
    onError: error => {
      const [first] = invalidFields(error);
      if (first) setTimeout(() => document.getElementById(`${file.name}.${first.path}`)?.focus());
    },
  });
}

export function ConfigFileForm({ file }: { file: ConfigView }) {
  const w = useWords();
  const groups = useMemo(() => groupsOf(file.schema), [file.schema]);
  const [changes, setChanges] = useState<Changes>({});
  const [asking, setAsking] = useState(false);
  const save = useSave(file, changes, () => setChanges({}));
  const changed = Object.keys(changes);
  const toConfirm = file.confirm.filter(key =>
    changed.some(path => path === key || path.startsWith(`${key}.`)),
  );
  const fields = invalidFields(save.error);
  const problemAt = (path: string) =>
    fields.find(one => one.path === path || one.path.startsWith(`${path}.`));
  const shown = groups.flatMap(group => group.fields.map(({ path }) => problemAt(path)));
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending || changed.length === 0) return;
    if (toConfirm.length > 0) setAsking(true);
    else save.mutate(false);
  };
  return (
    <form className="stack" onSubmit={send} onKeyDown={sendsForm} noValidate>
      <p className="soft">
        <code>{file.file}</code>
      </p>
      {file.problem && (
        <div className="trouble">
          {file.problem.split('\n').map(line => (
            <p key={line}>
              <InlineCode text={line} />
            </p>
          ))}
        </div>
      )}
      {groups.map(group => (
        <fieldset key={group.path} className="sheet group">
          <legend className="unseen">
            {(w.setting(`${file.name}.${group.path}`) ?? w.setting(file.name))?.[0]}
          </legend>
          {group.path !== '' && <GroupHead name={`${file.name}.${group.path}`} />}
          {group.fields.map(field => (
            <SettingField
              key={field.path}
              file={file.name}
              field={field}
              value={field.path in changes ? changes[field.path] : valueAt(file.value, field.path)}
              byDefault={valueAt(file.defaults, field.path)}
              problem={problemAt(field.path)?.message}
              change={value => setChanges({ ...changes, [field.path]: value })}
            />
          ))}
        </fieldset>
      ))}
      {save.isError && <SaveError error={save.error} isShown={field => shown.includes(field)} />}
      <div className={changed.length > 0 ? 'row saves saves-near' : 'row saves'}>
        <SubmitButton type="submit" className="main" disabled={changed.length === 0 || save.isPending}>
          {save.isPending ? w.settings.saving : w.settings.save}
        </SubmitButton>
        <button
          type="button"
          disabled={changed.length === 0}
          onClick={() => {
            setChanges({});
            save.reset();
          }}
        >
          {w.settings.reset}
        </button>
      </div>
      {asking && (
        <ConfirmChanges keys={toConfirm} then={() => save.mutate(true)} close={() => setAsking(false)} />
      )}
    </form>
  );
}

type InvalidField = NonNullable<Problem['fields']>[number];

const invalidFields = (error: Error | null): readonly InvalidField[] =>
  (error instanceof Refusal && error.problem.fields) || [];

/** Lists only the problems of fields that the form does not show; the others are shown next to their fields. */
function SaveError({ error, isShown }: { error: Error; isShown: (field: InvalidField) => boolean }) {
  const w = useWords();
  const fields = invalidFields(error);
  if (fields.length === 0) return <ErrorState error={error} />;
  return (
    <div className="trouble" role="alert">
      <p>{w.settings.problems(fields.length)}</p>
      {fields
        .filter(field => !isShown(field))
        .map(({ path, message }) => (
          <p key={path}>
            <code>{path}</code>: {message}
          </p>
        ))}
    </div>
  );
}

interface ConfirmChangesProps {
  readonly keys: readonly string[];
  then(): void;
  close(): void;
}

function ConfirmChanges({ keys, then, close }: ConfirmChangesProps) {
  const w = useWords();
  return (
    <ConfirmDialog title={w.settings.confirm} yes={w.settings.save} isDestructive then={then} close={close}>
      <p>{w.settings.confirmText}</p>
      <ul className="dotted mono">
        {keys.map(key => (
          <li key={key}>{key}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

function GroupHead({ name }: { name: string }) {
  const w = useWords();
  const [label, help] = w.setting(name) ?? [name.split('.').at(-1)!];
  return (
    <div className="group-head">
      <h2>{label}</h2>
      {help && <p className="soft">{help}</p>}
    </div>
  );
}
