import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type App, type AppKindFacts, createApp, derivedClient, type Framework } from '../../api/apps.ts';
import { clientsKey } from '../../api/clients.ts';
import { ApiFailure } from '../../api/failure.ts';
import { useTexts } from '../../messages/language.tsx';
import { useDebounced } from '../../palette/use-debounced.ts';
import { Outcome } from '../../parts/outcome.tsx';
import { useFocusFirstInvalid } from '../../parts/use-focus-first-invalid.ts';
import { AppFields, FIELDS } from './app-fields.tsx';
import { type AppValues, appOf } from './app-values.ts';
import { texts as connectTexts } from './texts.ts';
import { useLastKnown } from './use-last-known.ts';

/** The name for deriving a client while the name field is empty: redirect URIs depend only on the URL. */
const PLACEHOLDER_NAME = 'app';

/** Name, URLs and options of the app. Redirect URIs are derived from these until the user edits them. */
export function AppForm(props: {
  realm: string;
  kind: AppKindFacts;
  framework: Framework | undefined;
  values: AppValues;
  onChange: (change: Partial<AppValues>) => void;
}) {
  const { realm, kind, framework, values, onChange } = props;
  const texts = useTexts(connectTexts);
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const app = useMemo(() => appOf(values, kind, framework), [values, kind, framework]);
  // Derive again after each change. Typed redirect URIs are validated, too.
  const debounced = useDebounced(JSON.stringify({ ...app, name: app.name === '' ? PLACEHOLDER_NAME : app.name }));
  const derived = useQuery(derivedClient(realm, JSON.parse(debounced)));
  // A mistake in one field must not empty others: redirect URIs stay, and the client ID is derived from the name alone.
  const lastClient = useLastKnown(derived.data);
  const { name } = JSON.parse(debounced) as App;
  const nameClient = useQuery({ ...derivedClient(realm, { kind: 'machine', name }), enabled: derived.isError });
  const create = useMutation({
    mutationFn: () => createApp(realm, app),
    onSuccess: async (id) => {
      await queries.invalidateQueries({ queryKey: clientsKey(realm) });
      const query = new URLSearchParams({
        ...(framework === undefined ? {} : { framework: framework.id }),
        ...(app.offlineAccess ? { offline: 'true' } : {}),
      });
      const to = `/realms/${encodeSegment(realm)}/clients/${encodeSegment(id)}/connect`;
      navigate(query.size === 0 ? to : `${to}?${query}`, { replace: true, state: { isNew: true } });
    },
  });
  const failure = create.error ?? derived.error;
  const errors = failure instanceof ApiFailure && failure.kind === 'refused' ? failure.errors : [];
  const errorAt = (member: string) => errors.find(({ pointer }) => pointer.split('/')[1] === member)?.message;
  // How often the form was submitted without a name.
  const [namelessCount, setNamelessCount] = useState(0);
  const missing = namelessCount > 0 && app.name === '' ? texts.nameMissing : undefined;
  const refused = create.isError ? `refused ${create.submittedAt}` : undefined;
  const form = useFocusFirstInvalid(missing === undefined ? refused : `nameless ${namelessCount}`);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (app.name === '') setNamelessCount(namelessCount + 1);
    else create.mutate();
  };
  return (
    <section>
      <h2>{framework === undefined ? texts.kinds[kind.id][0] : texts.of(framework.name, framework.library)}</h2>
      <form className="card fields" noValidate ref={form} onSubmit={submit}>
        <AppFields
          {...{ kind, framework, values }}
          derived={lastClient}
          derivedId={(derived.data ?? nameClient.data)?.client.clientId ?? ''}
          errorAt={(member) => (member === 'name' ? missing : undefined) ?? errorAt(member)}
          onChange={(change) => {
            create.reset();
            onChange(change);
          }}
        />
        <Outcome done={undefined} failure={FIELDS.some((member) => errorAt(member) !== undefined) ? null : failure} />
        <p className="actions save-bar">
          <button type="submit" className="primary" disabled={create.isPending}>
            {texts.create}
          </button>
        </p>
      </form>
    </section>
  );
}
