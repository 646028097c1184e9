import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Provider } from '../../api/providers.ts';
import { driftOf, fileHref } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { ChangeList } from '../file/change-list.tsx';
import { texts } from './texts.ts';

/**
 * What was edited of the provider beside the realm's file, and where it is taken back; nothing where the two agree, and
 * for a realm that no file made. Why a file cannot be compared stands at the page of the file.
 * @param props.tag of the provider: after a change the edits are others
 */
export function ProviderDrift(props: { realm: string; provider: Provider; tag: string | undefined }) {
  const { realm, provider, tag } = props;
  const told = useTexts(texts);
  const { data } = useQuery({ ...driftOf(realm, tag), retry: false });
  const edits = (data?.realms[0]?.edits ?? []).filter(
    ({ path: [section, spi, id] }) => section === 'providers' && spi === provider.spi && id === provider.id,
  );
  if (edits.length === 0) return null;
  return (
    <section>
      <h2>{told.drift}</h2>
      <p className="help section-lead">{told.driftLead}</p>
      <ChangeList label={told.drift} changes={edits} left={0} />
      <p className="actions">
        <Link href={fileHref({ realm, path: '' })}>{told.toFile}</Link>
      </p>
    </section>
  );
}
