import type { RealmSettings } from '../../api/realm-settings.ts';
import { useHasAllRights } from '../../api/rights.ts';
import { useTexts } from '../../messages/language.tsx';
import { texts as emailTexts } from './email-texts.ts';
import { type MailValues, mailServerOf, mailValuesOf } from './mail-values.ts';
import { fieldsOf, type Section } from './section.ts';
import { SectionForm } from './section-form.tsx';
import { SettingsPage, type SettingsSectionProps } from './settings-page.tsx';
import { TestMail } from './test-mail.tsx';
import { texts as settingsTexts } from './texts.ts';

const TEMPLATE = ['from', 'fromDisplayName', 'replyTo', 'replyToDisplayName', 'envelopeFrom'] as const;
const TOKEN = ['authTokenUrl', 'authTokenScope', 'authTokenClientId'] as const;

const readValues = ({ smtpServer }: RealmSettings): MailValues => mailValuesOf(smtpServer);

export default function EmailPage({ realm }: { realm: string }) {
  return (
    <SettingsPage realm={realm} section="email">
      {(props) => <MailServerForm {...props} />}
    </SettingsPage>
  );
}

function MailServerForm(props: SettingsSectionProps) {
  const { name, realm, canManage } = props;
  const { template, connection, authentications, ...texts } = useTexts(emailTexts);
  const hasAllRights = useHasAllRights(name);
  const section: Section<MailValues> = {
    title: useTexts(settingsTexts).section.email,
    ...texts,
    read: readValues,
    toChange: (changes, { smtpServer }) => ({
      smtpServer: mailServerOf({ ...mailValuesOf(smtpServer), ...changes }, smtpServer),
    }),
    groups: ({ authentication }) => [
      { title: template, fields: fieldsOf('text', ...TEMPLATE) },
      {
        title: connection,
        fields: [
          ...fieldsOf<MailValues>('text', 'host', 'port'),
          ...fieldsOf<MailValues>('check', 'ssl', 'starttls'),
          { kind: 'choice', name: 'authentication', options: Object.entries(authentications) },
          ...(authentication === 'none' ? [] : fieldsOf<MailValues>('text', 'user')),
          ...(authentication === 'basic' ? fieldsOf<MailValues>('secret', 'password') : []),
          ...(authentication === 'token'
            ? [...fieldsOf<MailValues>('text', ...TOKEN), ...fieldsOf<MailValues>('secret', 'authTokenClientSecret')]
            : []),
        ],
      },
    ],
  };
  return (
    <>
      {canManage && !hasAllRights && (
        <p className="notice">{name === 'master' ? texts.readOnlyMaster : texts.readOnly}</p>
      )}
      <SectionForm settings={{ ...props, canManage: hasAllRights }} section={section}>
        {(values) => hasAllRights && <TestMail realm={name} server={mailServerOf(values, realm.smtpServer)} />}
      </SectionForm>
    </>
  );
}
