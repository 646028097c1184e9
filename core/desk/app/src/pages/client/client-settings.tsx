import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo } from 'react';
import { changeClient, clientsKey } from '../../api/clients.ts';
import { ApiFailure } from '../../api/failure.ts';
import { Conflict } from '../../form/conflict.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { SaveBar } from '../../parts/save-bar.tsx';
import { useEdited } from '../../parts/use-edited.ts';
import { ClientFields } from './client-fields.tsx';
import type { OfClient } from './client-page.tsx';
import { type ClientValues, sentClient, valuesOf } from './client-values.ts';
import { texts as clientTexts } from './texts.ts';

const NO_SECRETS = {};

/** The settings that people change. The second of two editors is told what the first has changed. */
export function ClientSettings({ realm, client, tag }: OfClient) {
  const messages = useMessages();
  const texts = useTexts(clientTexts);
  const queries = useQueryClient();
  const stored = useMemo(() => ({ value: valuesOf(client), tag }), [client, tag]);
  const form = useEdited<ClientValues>(stored);
  const { changes, isChanged } = form;
  const save = useMutation({
    mutationFn: (ifMatch: string | undefined) =>
      changeClient(realm, client.id, { change: sentClient(changes), ifMatch }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: clientsKey(realm) });
      form.forget();
    },
    onError: () => queries.invalidateQueries({ queryKey: clientsKey(realm) }),
  });
  const changed = save.error instanceof ApiFailure && save.error.kind === 'changed' ? save.error : undefined;
  const forget = () => {
    save.reset();
    form.forget();
  };
  const labelled = (values: Partial<ClientValues>) =>
    Object.fromEntries(
      (Object.keys(values) as (keyof ClientValues)[]).map((name) => [
        name === 'enabled' ? texts.isEnabled : texts[name],
        shown(values[name] ?? '', messages),
      ]),
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(form.base.tag);
  };
  return (
    <section>
      <h2>{texts.settings}</h2>
      <form className="card fields" onSubmit={submit}>
        <ClientFields value={form.value} isReadOnly={!client.access.manage} onChange={form.set} />
        {changed !== undefined && (
          <Conflict
            change={changed.change}
            schema={NO_SECRETS}
            base={labelled(form.base.value)}
            now={labelled(stored.value)}
            mine={labelled(changes)}
            isBusy={save.isPending}
            onOverwrite={() => save.mutate(changed.tag)}
            onTakeOver={forget}
          />
        )}
        <Outcome
          done={save.isSuccess && !isChanged && texts.saved}
          failure={changed === undefined ? save.error : null}
        />
        {client.access.manage && <SaveBar isChanged={isChanged} isBusy={save.isPending} onDiscard={forget} />}
      </form>
    </section>
  );
}

function shown(value: string | boolean, { yes, no }: { yes: string; no: string }): string {
  if (typeof value === 'boolean') return value ? yes : no;
  return value.replaceAll('\n', ', ');
}
