/** One key of a configuration file: its name, its help, its default, and what is wrong with it. */
import { useState } from 'react';
import { useWords } from '../look.ts';
import { asTyped, type Field, typed } from '../schema.ts';
import { span } from '../span.ts';
import { Choice, Field as Labelled, Tick } from './field.tsx';

interface Props {
  file: string;
  field: Field;
  value: unknown;
  byDefault: unknown;
  problem: string | undefined;
  change: (value: unknown) => void;
}

export function SettingField({ file, field, value, byDefault, problem, change }: Props) {
  const w = useWords();
  const id = `${file}.${field.path}`;
  // What the schema says is English: it stands in for settings that the catalogue does not know.
  const [label, help] = w.setting(id) ?? w.setting(field.path) ?? [field.path.split('.').at(-1)!, field.help];
  const hint = `${id}-about`;
  const about = (
    <>
      {problem && <span className="bad">{problem} </span>}
      {help && `${/[.!?]$/.test(help) ? help : `${help}.`} `}
      {field.kind === 'time' && typeof value === 'number' && `${w.settings.span(value, span(w, value))} `}
      {byDefault !== undefined && w.settings.byDefault(shown(w, field, byDefault))}
    </>
  );
  const common = { id, 'aria-describedby': hint, 'aria-invalid': problem !== undefined };
  if (field.kind === 'switch')
    return <Tick id={id} label={label} about={about} checked={value === true} change={change} />;
  if (field.kind === 'several') {
    const chosen = Array.isArray(value) ? value.map(String) : [];
    return (
      <fieldset className="field" aria-describedby={hint}>
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
        <small id={hint} className="soft">
          {about}
        </small>
      </fieldset>
    );
  }
  return (
    <Labelled id={id} label={label} about={about}>
      {field.kind === 'choice' ? (
        <Choice
          {...common}
          options={byDefault === undefined ? ['', ...field.choices] : field.choices}
          none={w.settings.empty}
          value={String(value ?? '')}
          change={chosen => change(typed(field, chosen))}
        />
      ) : (
        <Typed common={common} field={field} value={value} change={change} />
      )}
    </Labelled>
  );
}

/** Keeps the text as it is typed: `1e` on the way to `1e3` is not thrown away. */
function Typed({
  common,
  field,
  value,
  change,
}: {
  common: object;
  field: Field;
  value: unknown;
  change: (value: unknown) => void;
}) {
  const [text, setText] = useState<string | null>(null);
  const kept = text !== null && same(typed(field, text), value) ? text : asTyped(field, value);
  const write = (next: string) => {
    setText(next);
    change(typed(field, next));
  };
  return field.kind === 'list' ? (
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

function shown(w: ReturnType<typeof useWords>, { kind }: Field, value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return w.settings.empty;
  if (typeof value === 'boolean') return value ? w.settings.on : w.settings.off;
  if (kind === 'time' && typeof value === 'number') return span(w, value);
  return Array.isArray(value) ? value.join(', ') : String(value);
}
