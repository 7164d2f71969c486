/** `/settings`: the five configuration files as forms, generated from their schemas. Saves only changed keys. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ConfigView } from '../../protocol.ts';
import { api } from '../connection/api-client.ts';
import { Refusal } from '../connection/refusal-error.ts';
import { forgetToken } from '../connection/session.ts';
import { lock } from '../connection/socket.ts';
import { groupsOf, valueAt, withFieldValue } from '../fields-from-schema.ts';
import { sendsForm } from '../keyboard-shortcuts.ts';
import { SubmitButton } from '../parts/decision/submit-button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { InlineCode } from '../parts/inline-code.tsx';
import { ErrorState } from '../parts/placeholders.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { SettingField } from '../parts/setting-field.tsx';
import { showToast } from '../parts/toast.tsx';
import { useWords } from '../preferences.ts';
import { useTitle } from '../tab-title.ts';

export default function Settings() {
  const w = useWords();
  useTitle(w.settings.title);
  const config = useQuery({ queryKey: ['config'], queryFn: api.config, staleTime: Number.POSITIVE_INFINITY });
  const [params, setParams] = useSearchParams();
  return (
    <>
      <div className="head">
        <div>
          <h1>{w.settings.title}</h1>
          <p className="about">{w.settings.lead}</p>
        </div>
        <SignOut />
      </div>
      <QueryResult of={config}>
        {files => {
          const file = files.find(one => one.name === params.get('file')) ?? files[0]!;
          return (
            <div className="settings">
              <nav aria-label={w.settings.files}>
                <ul className="files">
                  {files.map(one => (
                    <li key={one.name}>
                      <button
                        type="button"
                        className="plain"
                        aria-current={one === file}
                        onClick={() => setParams({ file: one.name }, { replace: true })}
                      >
                        {w.setting(one.name)?.[0] ?? one.name}
                        {one.problem && <span className="bad"> !</span>}
                      </button>
                    </li>
                  ))}
                </ul>
              </nav>
              <FileForm key={file.name} file={file} />
            </div>
          );
        }}
      </QueryResult>
    </>
  );
}

function SignOut() {
  const w = useWords();
  const signOut = useMutation({
    mutationFn: api.signOut,
    onSuccess() {
      forgetToken();
      lock();
    },
    onError: error => showToast(error.message),
  });
  return (
    <SubmitButton
      title={w.settings.signOutHint}
      disabled={signOut.isPending}
      onClick={() => signOut.mutate()}
    >
      {w.settings.signOut}
    </SubmitButton>
  );
}

type Changes = Readonly<Record<string, unknown>>;

function FileForm({ file }: { file: ConfigView }) {
  const w = useWords();
  const client = useQueryClient();
  const groups = useMemo(() => groupsOf(file.schema), [file.schema]);
  const [changes, setChanges] = useState<Changes>({});
  const [asking, setAsking] = useState(false);
  const changed = Object.keys(changes);
  const toConfirm = file.confirm.filter(key =>
    changed.some(path => path === key || path.startsWith(`${key}.`)),
  );
  const save = useMutation({
    async mutationFn(confirm: boolean) {
      // Someone else may have changed other keys since this page was loaded.
      const now = (await api.config()).find(one => one.name === file.name) ?? file;
      const value = Object.entries(changes).reduce<Record<string, unknown>>(
        (tree, [path, changed]) => withFieldValue(tree, path, changed),
        now.written,
      );
      return api.configure(file.name, { value, confirm });
    },
    onSuccess: saved => {
      client.setQueryData<ConfigView[]>(['config'], files =>
        files?.map(one => (one.name === saved.name ? saved : one)),
      );
      setChanges({});
      showToast(w.settings.saved);
    },
    onError: error => {
      const [first] = (error instanceof Refusal && error.problem.fields) || [];
      if (first) setTimeout(() => document.getElementById(`${file.name}.${first.path}`)?.focus());
    },
  });
  const fields = save.error instanceof Refusal ? (save.error.problem.fields ?? []) : [];
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
      {save.isError &&
        (fields.length > 0 ? (
          <div className="trouble" role="alert">
            <p>{w.settings.problems(fields.length)}</p>
            {fields
              .filter(one => !shown.includes(one))
              .map(({ path, message }) => (
                <p key={path}>
                  <code>{path}</code>: {message}
                </p>
              ))}
          </div>
        ) : (
          <ErrorState error={save.error} />
        ))}
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
        <ConfirmDialog
          title={w.settings.confirm}
          yes={w.settings.save}
          isDestructive
          then={() => save.mutate(true)}
          close={() => setAsking(false)}
        >
          <p>{w.settings.confirmText}</p>
          <ul className="dotted mono">
            {toConfirm.map(key => (
              <li key={key}>{key}</li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </form>
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
