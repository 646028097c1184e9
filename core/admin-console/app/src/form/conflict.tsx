import type { LastChange } from '../api/failure.ts';
import { useTexts } from '../messages/language.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Time } from '../parts/time.tsx';
import { changedMembers } from './changed-members.ts';
import { redactedText, secretNames } from './redacted-text.ts';
import { texts } from './texts.ts';

type Members = Readonly<Record<string, unknown>>;

/** Shown when another user changed what the form began with: who, what, and the two options. */
export function Conflict(props: {
  change: LastChange | undefined;
  schema: Members;
  /** The value that the form began with. */
  base: Members;
  /** The value that is stored now. */
  now: Members;
  /** The changes of the form; `null` removes a member. */
  mine: Members;
  isBusy: boolean;
  onOverwrite: () => void;
  onTakeOver: () => void;
}) {
  const { change, schema, base, now, mine, isBusy, onOverwrite, onTakeOver } = props;
  const strings = useTexts(texts);
  const names = [...new Set([...Object.keys(changedMembers(base, now)), ...Object.keys(mine)])].sort();
  const hidden = secretNames(schema);
  const show = (value: unknown, name: string) => redactedText(value ?? undefined, name, hidden, strings);
  const columns: readonly Column<string>[] = [
    { title: strings.member, show: (name) => <code>{name}</code> },
    { title: strings.began, isMinor: true, show: (name) => show(base[name], name) },
    { title: strings.now, show: (name) => show(now[name], name) },
    {
      title: strings.yours,
      show: (name) => (name in mine ? show(mine[name], name) : <small>{strings.untouched}</small>),
    },
  ];
  return (
    <section className="notice notice-warning" role="alert">
      <h2>{strings.changedBy(change?.username)}</h2>
      <p>
        {change !== undefined && (
          <>
            <Time at={change.time} />.{' '}
          </>
        )}
        {strings.kept}
      </p>
      <DataTable caption={strings.compare} columns={columns} rows={names} keyOf={(name) => name} />
      <p className="help">{strings.overwriteMeans}</p>
      <p className="actions">
        <button type="button" disabled={isBusy} onClick={onTakeOver}>
          {strings.takeOver}
        </button>
        <button type="button" className="danger" disabled={isBusy} onClick={onOverwrite}>
          {strings.overwrite}
        </button>
      </p>
    </section>
  );
}
