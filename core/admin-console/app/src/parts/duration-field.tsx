import { useId, useState } from 'react';
import { useTexts } from '../messages/language.tsx';
import { texts as durationTexts } from './duration-texts.ts';
import { describedBy, FieldNotes } from './field.tsx';

/** The units in seconds, largest first. */
const UNITS = { days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const;
const NAMES = Object.keys(UNITS) as (keyof typeof UNITS)[];

interface DurationInput {
  readonly text: string;
  readonly unit: keyof typeof UNITS;
}

/**
 * A number of seconds, shown in the largest unit that divides it.
 * @param props.seconds undefined while the input is not a number
 */
export function DurationField(props: {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  seconds: number | undefined;
  isReadOnly: boolean;
  onChange: (seconds: number | undefined) => void;
}) {
  const { label, help, error, seconds, isReadOnly, onChange } = props;
  const texts = useTexts(durationTexts);
  const id = useId();
  const [typed, setTyped] = useState(() => inputOf(seconds));
  // A value from outside, such as from the host, is shown in the unit that fits it.
  const shown = secondsOf(typed) === seconds ? typed : inputOf(seconds);
  const change = (next: DurationInput) => {
    setTyped(next);
    onChange(secondsOf(next));
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="duration">
        <input
          id={id}
          type="number"
          required
          min={0}
          step="any"
          value={shown.text}
          readOnly={isReadOnly}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, help, error)}
          onChange={({ target }) => change({ ...shown, text: target.value })}
        />
        <select
          aria-label={texts.unitOf(label)}
          value={shown.unit}
          disabled={isReadOnly}
          onChange={({ target }) => change({ ...shown, unit: target.value as keyof typeof UNITS })}
        >
          {[...NAMES].reverse().map((unit) => (
            <option key={unit} value={unit}>
              {texts.units[unit]}
            </option>
          ))}
        </select>
      </div>
      <FieldNotes id={id} help={help} error={error} />
    </div>
  );
}

/** A number of seconds in words, such as `5 minutes`. */
export function durationIn(language: string, seconds: number): string {
  const { text, unit } = inputOf(seconds);
  const style = { style: 'unit', unit: unit.slice(0, -1), unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language, style).format(Number(text));
}

function inputOf(seconds: number | undefined): DurationInput {
  if (!seconds) return { text: seconds === undefined ? '' : '0', unit: 'minutes' };
  const unit = NAMES.find((name) => seconds % UNITS[name] === 0) ?? 'seconds';
  return { text: String(seconds / UNITS[unit]), unit };
}

function secondsOf({ text, unit }: DurationInput): number | undefined {
  return text === '' ? undefined : Math.round(Number(text) * UNITS[unit]);
}
