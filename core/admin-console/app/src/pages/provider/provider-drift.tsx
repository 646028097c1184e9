import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Provider } from '../../api/providers.ts';
import { driftOf, fileHref, realmFile } from '../../api/realm-files.ts';
import { isHostAdmin, who } from '../../api/who.ts';
import { useTexts } from '../../messages/language.tsx';
import { ChangeList } from '../file/change-list.tsx';
import { texts } from './texts.ts';

/**
 * The provider's edits that differ from the realm's file, with a link to revert them. Renders nothing if there are
 * none, or if the realm has no file. The page of the file explains why a file cannot be compared.
 * @param props.tag the provider's ETag: when it changes, the edits are read again
 */
export function ProviderDrift(props: { realm: string; provider: Provider; tag: string | undefined }) {
  const { realm, provider, tag } = props;
  const strings = useTexts(texts);
  const { data: me } = useQuery(who());
  const isHost = me !== undefined && isHostAdmin(me);
  const { data: file } = useQuery({ ...realmFile(realm), enabled: isHost, refetchInterval: false, retry: false });
  const { data } = useQuery({
    ...driftOf(realm, tag),
    enabled: isHost && file !== undefined && file !== null,
    retry: false,
  });
  const edits = (data?.realms[0]?.edits ?? []).filter(
    ({ path: [section, spi, id] }) => section === 'providers' && spi === provider.spi && id === provider.id,
  );
  if (edits.length === 0) return null;
  return (
    <section>
      <h2>{strings.drift}</h2>
      <p className="help section-lead">{strings.driftLead}</p>
      <ChangeList label={strings.drift} changes={edits} left={0} />
      <p className="actions">
        <Link href={fileHref({ realm, path: '' })}>{strings.toFile}</Link>
      </p>
    </section>
  );
}
