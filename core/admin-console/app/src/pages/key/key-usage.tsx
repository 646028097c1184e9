import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { KeyUse, RealmKey } from '../../api/keys.ts';
import { useTexts } from '../../messages/language.tsx';
import { Duration } from '../../parts/time.tsx';
import { purposeOf } from '../keys/key-state.ts';
import { texts as keysTexts } from '../keys/texts.ts';
import { texts as keyTexts } from './texts.ts';

/** The uses of a key: its purpose, its clients and identity providers, and how long its tokens live. */
export function KeyUsage({ realm, item, use }: { realm: string; item: RealmKey; use: KeyUse | undefined }) {
  const texts = useTexts(keyTexts);
  const { purposes, isDefault } = useTexts(keysTexts);
  const purpose = purposeOf(item);
  const basePath = `/realms/${encodeSegment(realm)}`;
  const { clients = [], moreClients = 0, lifespan, isUnlimited = false } = use ?? {};
  const { identityProviders = [], moreIdentityProviders: hidden = 0 } = use ?? {};
  return (
    <section>
      <h2>{texts.usage}</h2>
      <div className="card fields">
        <p>{use?.isDefault === true ? isDefault : purposes[purpose]}</p>
        {(clients.length > 0 || moreClients > 0) && (
          <div>
            <p>{texts.choosing}</p>
            <ul>
              {clients.map(({ id, clientId, uses }) => (
                <li key={id}>
                  <Link href={`${basePath}/clients/${encodeSegment(id)}`}>{clientId}</Link>{' '}
                  <small>{uses.map((one) => texts.tokens[one] ?? one).join(', ')}</small>
                </li>
              ))}
              {moreClients > 0 && <li>{texts.moreClients(moreClients)}</li>}
            </ul>
          </div>
        )}
        {identityProviders.length + hidden > 0 && (
          <p>
            {texts.identityProviders}{' '}
            {[...identityProviders, ...(hidden > 0 ? [texts.hiddenProviders(hidden)] : [])].join(', ')}
          </p>
        )}
        {lifespan !== undefined && (
          <p>
            {texts.lifespan} <Duration milliseconds={lifespan * 1000} />
          </p>
        )}
        {isUnlimited && <p>{purpose === 'storage' ? texts.stored : texts.unlimited}</p>}
      </div>
    </section>
  );
}
