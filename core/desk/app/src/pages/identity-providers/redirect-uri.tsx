import { useQuery } from '@tanstack/react-query';
import { segment } from '../../address.ts';
import { realmIssuer } from '../../api/realm-issuer.ts';
import { useTexts } from '../../messages/language.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { texts as listTexts } from './texts.ts';

/** The address that is registered at a provider, ready to be copied. */
export function RedirectUri({ realm, alias }: { realm: string; alias: string }) {
  const texts = useTexts(listTexts);
  const { data } = useQuery(realmIssuer(realm));
  if (data === undefined) return null;
  const uri = `${data}/broker/${segment(alias)}/endpoint`;
  return (
    <span className="copied-code">
      <code>{uri}</code>
      <CopyButton text={uri} label={texts.redirectUri} />
    </span>
  );
}
