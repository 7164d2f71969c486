/** A form field with a label, help text and an error. Its accessible name is just the label. */
import type { ComponentProps, ReactNode } from 'react';

export function Field({
  label,
  hint,
  error,
  id,
  children,
}: {
  label: string;
  hint?: ReactNode;
  /** Shown instead of the hint. */
  error?: ReactNode;
  id: string;
  children: ReactNode;
}) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {(error || hint) && (
        <small id={`${id}-about`} className="soft">
          {error ? <span className="bad">{error}</span> : hint}
        </small>
      )}
    </div>
  );
}

interface ChoiceProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  options: readonly string[];
  value: string;
  /** Label for the empty choice. */
  none: string;
  change: (value: string) => void;
}
/** A select field. A value that is no longer offered stays selected. */
export const Choice = ({ options, value, none, change, ...select }: ChoiceProps) => (
  <select {...select} value={value} onChange={event => change(event.target.value)}>
    {[...new Set([...options, value])].map(one => (
      <option key={one} value={one}>
        {one === '' ? none : one}
      </option>
    ))}
  </select>
);

interface CheckboxProps {
  id: string;
  label: string;
  about?: ReactNode;
  checked: boolean;
  change: (checked: boolean) => void;
}
export function Checkbox({ id, label, about, checked, change }: CheckboxProps) {
  return (
    <div className="tickbox">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        aria-describedby={about ? `${id}-about` : undefined}
        onChange={event => change(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {about && (
        <small id={`${id}-about`} className="soft">
          {about}
        </small>
      )}
    </div>
  );
}
