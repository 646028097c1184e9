import type { Provider } from '../../api/providers.ts';
import { useMessages } from '../../messages/language.tsx';
import { ConfigForm } from './config-form.tsx';

/** The configuration in this realm, as the provider's own schema describes it. @param tag of the provider */
export function Configuration(props: { realm: string; provider: Provider; tag: string | undefined }) {
  const { provider: texts } = useMessages();
  const { configSchema } = props.provider;
  return (
    <section>
      <h2>{texts.configuration}</h2>
      {configSchema === undefined ? (
        <p className="nothing">{texts.noConfiguration}</p>
      ) : (
        <ConfigForm {...props} schema={configSchema} />
      )}
    </section>
  );
}
