import { JWKS_URL, USES_JWKS_URL } from '../../api/clients.ts';
import { useTexts } from '../../messages/language.tsx';
import { ClientAuthentication } from './client-authentication.tsx';
import { ClientFrame, type ClientSectionProps } from './client-frame.tsx';
import { ClientKeys } from './client-keys.tsx';
import { ClientSecret } from './client-secret.tsx';
import { RotatedSecret } from './rotated-secret.tsx';
import { texts as clientTexts } from './texts.ts';

/** Client authenticators that use a secret. */
const WITH_SECRET = ['client-secret', 'client-secret-jwt'];

/** The client's authentication method and its credentials. */
export default function ClientCredentialsPage({ realm, id }: { realm: string; id: string }) {
  return (
    <ClientFrame realm={realm} id={id} tab="credentials">
      {(props) => <Credentials {...props} />}
    </ClientFrame>
  );
}

function Credentials(props: ClientSectionProps) {
  const texts = useTexts(clientTexts);
  const { clientAuthenticatorType: type, attributes, access } = props.client;
  const hasKeysElsewhere = attributes[USES_JWKS_URL] === 'true' && attributes[JWKS_URL] !== undefined;
  return (
    <>
      <ClientAuthentication {...props} />
      {type === 'client-jwt' && !hasKeysElsewhere && <ClientKeys {...props} />}
      {WITH_SECRET.includes(type) &&
        (access.manage ? (
          <>
            <ClientSecret {...props} />
            <RotatedSecret {...props} />
          </>
        ) : (
          <p className="help">{texts.secretHidden}</p>
        ))}
    </>
  );
}
