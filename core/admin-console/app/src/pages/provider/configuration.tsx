import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { Provider } from '../../api/providers.ts';
import { useMessages } from '../../messages/language.tsx';
import { ConfigForm } from './config-form.tsx';

/** The configuration in this realm, with a form from the provider's own schema. @param props.tag the provider's ETag */
export function Configuration(props: { realm: string; provider: Provider; tag: string | undefined }) {
  const { provider: texts } = useMessages();
  const { configSchema } = props.provider;
  return (
    <section>
      <h2>{texts.configuration}</h2>
      {configSchema === undefined ? <NoConfiguration {...props} /> : <ConfigForm {...props} schema={configSchema} />}
    </section>
  );
}

function NoConfiguration({ realm, provider: { sharesConfig } }: { realm: string; provider: Provider }) {
  const { provider: texts } = useMessages();
  if (sharesConfig === undefined) return <p className="nothing">{texts.noConfiguration}</p>;
  const href = `/realms/${encodeSegment(realm)}/providers/${sharesConfig.split('/').map(encodeSegment).join('/')}`;
  return (
    <p className="nothing">
      {texts.sharedConfiguration} <Link href={href}>{sharesConfig}</Link>
    </p>
  );
}
