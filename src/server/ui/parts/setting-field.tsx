/** The form field of one configuration key: label, help, default and error. */
import { useState } from 'react';
import { formatEditableDuration } from '../editable-duration.ts';
import type { FormField } from '../fields-from-schema.ts';
import { formatFieldValue, parseFieldText } from '../form-field-values.ts';
import { useWords } from '../preferences.ts';
import { Checkbox, Choice, Field as Labelled } from './form-fields.tsx';

interface Props {
  file: string;
  field: FormField;
  value: unknown;
  byDefault: unknown;
  problem: string | undefined;
  change: (value: unknown) => void;
}

const sentence = (text: string): string => `${/[.!?]$/.test(text) ? text : `${text}.`} `;

export function SettingField({ file, field, value, byDefault, problem, change }: Props) {
  const w = useWords();
  const id = `${file}.${field.path}`;
  const name = field.path.split('.').at(-1)!;
  // The English description in the schema is the fallback for settings that are not in the catalogue.
  const [label, help] = w.setting(id) ?? w.setting(name) ?? [name, field.help];
  const aboutId = `${id}-about`;
  const about = (
    <>
      {problem && <span className="bad">{sentence(problem)}</span>}
      {help && sentence(help)}
      {field.kind === 'time' &&
        typeof value === 'number' &&
        `${w.settings.span(value, formatEditableDuration(w, value))} `}
      {byDefault !== undefined && w.settings.byDefault(shown(w, field, byDefault))}
    </>
  );
  const common = { id, 'aria-describedby': aboutId, 'aria-invalid': problem !== undefined };
  if (field.kind === 'switch')
    return <Checkbox id={id} label={label} about={about} checked={value === true} change={change} />;
  if (field.kind === 'several') {
    const chosen = Array.isArray(value) ? value.map(String) : [];
    return (
      <fieldset className="field" aria-describedby={aboutId}>
        <legend>{label}</legend>
        <span className="row">
          {field.choices.map((one, index) => (
            <label key={one} className="row">
              <input
                type="checkbox"
                id={index === 0 ? id : undefined}
                checked={chosen.includes(one)}
                onChange={event =>
                  change(
                    field.choices.filter(other =>
                      other === one ? event.target.checked : chosen.includes(other),
                    ),
                  )
                }
              />
              {one}
            </label>
          ))}
        </span>
        <small id={aboutId} className="soft">
          {about}
        </small>
      </fieldset>
    );
  }
  return (
    <Labelled id={id} label={label} hint={about}>
      {field.kind === 'choice' ? (
        <Choice
          {...common}
          options={byDefault === undefined ? ['', ...field.choices] : field.choices}
          none={file !== 'global' && field.path === 'backend' ? w.settings.asProject : w.settings.empty}
          value={String(value ?? '')}
          change={chosen => change(parseFieldText(field, chosen))}
        />
      ) : (
        <Typed common={common} field={field} value={value} change={change} />
      )}
    </Labelled>
  );
}

/** Keeps the text while the user types, so that `1e` is not lost on the way to `1e3`. */
function Typed({
  common,
  field,
  value,
  change,
}: {
  common: object;
  field: FormField;
  value: unknown;
  change: (value: unknown) => void;
}) {
  const [text, setText] = useState<string | null>(null);
  const kept =
    text !== null && same(parseFieldText(field, text), value) ? text : formatFieldValue(field, value);
  const write = (next: string) => {
    setText(next);
    change(parseFieldText(field, next));
  };
  return field.kind === 'list' || field.kind === 'json' ? (
    <textarea
      {...common}
      rows={3}
      value={kept}
      spellCheck={false}
      onChange={event => write(event.target.value)}
    />
  ) : (
    <input
      {...common}
      value={kept}
      spellCheck={false}
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
      onChange={event => write(event.target.value)}
    />
  );
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function shown(w: ReturnType<typeof useWords>, { kind }: FormField, value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return w.settings.empty;
  if (typeof value === 'boolean') return value ? w.settings.on : w.settings.off;
  if (kind === 'time' && typeof value === 'number') return formatEditableDuration(w, value);
  if (kind === 'json') return JSON.stringify(value);
  return Array.isArray(value) ? value.join(', ') : String(value);
}
