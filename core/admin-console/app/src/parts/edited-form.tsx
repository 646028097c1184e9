import type { FormEvent, ReactNode } from 'react';
import { Conflict } from '../form/conflict.tsx';
import { useMessages } from '../messages/language.tsx';
import type { AttributeRow } from './attribute-rows.ts';
import { Outcome } from './outcome.tsx';
import { SaveBar } from './save-bar.tsx';
import type { Saving } from './use-saving.ts';

type Value = string | boolean | number | readonly string[] | readonly AttributeRow[] | undefined;

const NO_SECRETS = {};

/**
 * A section of settings that are saved together. If another editor saved first, the user sees the other changes, and
 * the input is preserved.
 * @param label the name of a member, for the comparison with the other editor's version
 * @param show describes a value in that comparison; undefined to show it unchanged
 * @param saved the message after saving
 * @param isLocated true if the fields themselves show the errors
 */
export function EditedForm<T extends { readonly [M in keyof T]: Value }>(props: {
  title: string;
  saving: Saving<T>;
  label: (member: keyof T & string) => string;
  show?: (member: keyof T & string, value: T[keyof T & string] | undefined) => string | undefined;
  saved: string;
  canManage: boolean;
  isLocated?: boolean;
  children: ReactNode;
}) {
  const { title, saving, label, show, saved, canManage, isLocated = false, children } = props;
  const { conflict, isBusy } = saving;
  const messages = useMessages();
  const withLabels = (values: Partial<T>) =>
    Object.fromEntries(
      (Object.keys(values) as (keyof T & string)[]).map((member) => [
        label(member),
        show?.(member, values[member]) ?? formatValue(values[member], messages),
      ]),
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.submit();
  };
  return (
    <section>
      <h2>{title}</h2>
      <form className="card fields" onSubmit={submit}>
        {children}
        {conflict !== undefined && (
          <Conflict
            change={conflict.change}
            schema={NO_SECRETS}
            base={withLabels(saving.base)}
            now={withLabels(saving.stored)}
            mine={withLabels(saving.changes)}
            isBusy={isBusy}
            onOverwrite={saving.overwrite}
            onTakeOver={saving.discard}
          />
        )}
        <Outcome done={saving.isDone && saved} failure={isLocated ? null : saving.failure} />
        {canManage && <SaveBar isChanged={saving.isChanged} isBusy={isBusy} onDiscard={saving.discard} />}
      </form>
    </section>
  );
}

/** Formats a value for people. */
function formatValue(value: Value, { yes, no }: { yes: string; no: string }): string {
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value === 'object') {
    return value.map((one) => (typeof one === 'string' ? one : `${one.name}=${one.value}`)).join(', ');
  }
  return String(value ?? '').replaceAll('\n', ', ');
}
