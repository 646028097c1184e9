import type { RealmSettings } from '../../api/realm-settings.ts';
import { useTexts } from '../../messages/language.tsx';
import { fieldsOf, pickMembers, type Section } from './section.ts';
import { SectionForm } from './section-form.tsx';
import { SettingsPage } from './settings-page.tsx';
import { texts as settingsTexts } from './texts.ts';
import { texts as tokensTexts } from './tokens-texts.ts';

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'].map(
  (name) => [name, name] as const,
);
const ACCESS = ['accessTokenLifespan', 'accessCodeLifespan'] as const;
const ACTION = ['actionTokenGeneratedByUserLifespan', 'actionTokenGeneratedByAdminLifespan'] as const;
const DEVICE = ['oauth2DeviceCodeLifespan', 'oauth2DevicePollingInterval'] as const;
const readMembers = pickMembers([
  ...(['defaultSignatureAlgorithm', 'revokeRefreshToken', 'refreshTokenMaxReuse'] as const),
  ...ACCESS,
  ...ACTION,
  ...DEVICE,
]);

/** An attribute of the realm, and the host's default for it, which it also uses for 0. */
const PAR = 'parRequestUriLifespan';
const PAR_SECONDS = 60;
type Values = ReturnType<typeof readMembers> & { readonly [PAR]: number };

const readValues = (realm: RealmSettings): Values => ({
  ...readMembers(realm),
  [PAR]: Number(realm.attributes[PAR]) || PAR_SECONDS,
});

export default function TokensPage({ realm }: { realm: string }) {
  const { general, refresh, access, action, device, ...texts } = useTexts(tokensTexts);
  const section: Section<Values> = {
    title: useTexts(settingsTexts).section.tokens,
    ...texts,
    read: readValues,
    toChange: ({ [PAR]: par, ...changes }) => ({
      ...changes,
      ...(par === undefined ? {} : { attributes: { [PAR]: par === null ? null : String(par) } }),
    }),
    groups: ({ revokeRefreshToken }) => [
      { title: general, fields: [{ kind: 'choice', name: 'defaultSignatureAlgorithm', options: ALGORITHMS }] },
      {
        title: refresh,
        fields: [
          { kind: 'check', name: 'revokeRefreshToken' },
          ...(revokeRefreshToken ? fieldsOf<Values>('number', 'refreshTokenMaxReuse') : []),
        ],
      },
      { title: access, fields: fieldsOf('duration', ...ACCESS) },
      { title: action, fields: fieldsOf('duration', ...ACTION) },
      { title: device, fields: fieldsOf('duration', ...DEVICE, PAR) },
    ],
  };
  return (
    <SettingsPage realm={realm} section="tokens">
      {(props) => <SectionForm settings={props} section={section} />}
    </SettingsPage>
  );
}
