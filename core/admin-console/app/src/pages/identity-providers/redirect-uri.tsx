import { useQuery } from '@tanstack/react-query';
import { encodeSegment } from '../../address.ts';
import { realmIssuer } from '../../api/realm-issuer.ts';
import { useTexts } from '../../messages/language.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { texts as listTexts } from './texts.ts';

/** The address to register at a provider, with a button to copy it. */
export function RedirectUri({ realm, alias }: { realm: string; alias: string }) {
  const texts = useTexts(listTexts);
  const { data } = useQuery(realmIssuer(realm));
  if (data === undefined) return null;
  const uri = `${data}/broker/${encodeSegment(alias)}/endpoint`;
  return (
    <span className="copied-code">
      <code>{uri}</code>
      <CopyButton text={uri} label={texts.redirectUri} />
    </span>
  );
}
