import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiFailure } from '../../api/failure.ts';
import { type Config, changeProvider, type JsonSchema, type Provider, providersOf } from '../../api/providers.ts';
import { Conflict } from '../../form/conflict.tsx';
import { SchemaForm } from '../../form/schema-form.tsx';
import { useBase } from '../../form/use-base.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useFocusWhen } from '../../parts/use-focus-when.ts';
import { texts as providerTexts } from './texts.ts';

const NO_ERRORS = [] as const;

/** @param props.tag the ETag of the stored provider */
export function ConfigForm(props: { realm: string; provider: Provider; tag: string | undefined; schema: JsonSchema }) {
  const { realm, provider, schema } = props;
  const { provider: texts } = useMessages();
  const strings = useTexts(providerTexts);
  const client = useQueryClient();
  const { base, tag, round, renew, changes, isChanged, setChanges } = useBase(provider.config, props.tag);
  const readAgain = () => client.invalidateQueries({ queryKey: providersOf(realm).queryKey });
  const save = useMutation({
    mutationFn: ({ config, ifMatch }: { config: Config; ifMatch: string | undefined }) =>
      changeProvider(realm, provider, { config }, ifMatch),
    onSuccess: async () => {
      await readAgain();
      renew();
    },
    onError: (error) => (error instanceof ApiFailure && error.kind === 'changed' ? readAgain() : undefined),
  });
  const discardChanges = () => {
    save.reset();
    renew();
  };
  const failure = save.error instanceof ApiFailure ? save.error : undefined;
  const located = failure?.errors ?? NO_ERRORS;
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
        onSave={(config) => save.mutate({ config, ifMatch: tag })}
        onDiscard={discardChanges}
        onChanges={setChanges}
      />
      <div className="outcome" tabIndex={-1} ref={outcome}>
        <p role="status">{isSaved && `${texts.saved} ${effectOf(provider, strings)}`}</p>
        {isRefused && failure?.kind !== 'changed' && <FailureNotice failure={save.error} />}
        {failure?.kind === 'changed' && (
          <Conflict
            change={failure.change}
            schema={schema}
            base={base}
            now={provider.config}
            mine={changes}
            isBusy={save.isPending}
            onOverwrite={() => save.mutate({ config: changes, ifMatch: failure.tag })}
            onTakeOver={discardChanges}
          />
        )}
      </div>
    </div>
  );
}

/** Describes whether the saved configuration has an effect in the realm. */
function effectOf(
  { enabled, switchable }: Provider,
  texts: { readonly isOn: string; readonly isOff: string; readonly isUnused: string },
): string {
  if (enabled) return texts.isOn;
  return switchable ? texts.isOff : texts.isUnused;
}
