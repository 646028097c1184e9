import type { RealmKey } from '../../api/keys.ts';
import { useTexts } from '../../messages/language.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { texts as keyTexts } from './texts.ts';

const PEM_LINE = /.{1,64}/g;

/** The public key and the certificate as PEM, to copy. Secrets have neither. */
export function PublicParts({ item: { publicKey, certificate } }: { item: RealmKey }) {
  const texts = useTexts(keyTexts);
  return (
    <>
      {publicKey !== undefined && <Pem title={texts.publicKey} text={toPem('PUBLIC KEY', publicKey)} />}
      {certificate !== undefined && <Pem title={texts.certificate} text={toPem('CERTIFICATE', certificate)} />}
    </>
  );
}

function Pem({ title, text }: { title: string; text: string }) {
  return (
    <section>
      <div className="section-head">
        <h2>{title}</h2>
        <CopyButton text={text} label={title} />
      </div>
      <pre className="told pem">{text}</pre>
    </section>
  );
}

function toPem(label: string, base64: string): string {
  return [`-----BEGIN ${label}-----`, ...(base64.match(PEM_LINE) ?? []), `-----END ${label}-----`].join('\n');
}
