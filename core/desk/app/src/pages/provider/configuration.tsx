import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiFailure } from '../../api/failure.ts';
import { type Config, changeProvider, type Provider, providersOf } from '../../api/providers.ts';
import { SchemaForm } from '../../form/schema-form.tsx';
import { useBase } from '../../form/use-base.ts';
import { useMessages } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useFocusWhen } from '../../parts/use-focus-when.ts';

const NO_ERRORS = [] as const;

/** The configuration in this realm, as the provider's own schema describes it. */
export function Configuration({ realm, provider }: { realm: string; provider: Provider }) {
  const { provider: texts } = useMessages();
  return (
    <section>
      <h2>{texts.configuration}</h2>
      {provider.configSchema === undefined ? (
        <p className="nothing">{texts.noConfiguration}</p>
      ) : (
        <ConfigForm realm={realm} provider={provider} schema={provider.configSchema} />
      )}
    </section>
  );
}

function ConfigForm({ realm, provider, schema }: { realm: string; provider: Provider; schema: Config }) {
  const { provider: texts } = useMessages();
  const client = useQueryClient();
  const { base, round, renew, isChanged, setChanged } = useBase(provider.config);
  const save = useMutation({
    mutationFn: (config: Config) => changeProvider(realm, provider, { config }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: providersOf(realm).queryKey });
      renew();
    },
  });
  const located = save.error instanceof ApiFailure ? save.error.errors : NO_ERRORS;
  const isSaved = save.isSuccess && !isChanged;
  const isRefused = save.isError && located.length === 0;
  const outcome = useFocusWhen<HTMLDivElement>(isSaved || isRefused);
  return (
    <div className="card form-card">
      <SchemaForm
        key={round}
        schema={schema}
        value={base}
        errors={located}
        isBusy={save.isPending}
        onSave={save.mutate}
        onDiscard={() => {
          save.reset();
          renew();
        }}
        onChanged={setChanged}
      />
      <div className="outcome" tabIndex={-1} ref={outcome}>
        <p role="status">{isSaved && texts.saved}</p>
        {isRefused && <FailureNotice failure={save.error} />}
      </div>
    </div>
  );
}
