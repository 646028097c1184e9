import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { type MailServer, sendTestMail } from '../../api/realm-settings.ts';
import { useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { TextField } from '../../parts/field.tsx';
import { texts as emailTexts } from './email-texts.ts';

/** Tests the mail server in the form with an email to the admin, or to another address. */
export function TestMail({ realm, server }: { realm: string; server: MailServer }) {
  const texts = useTexts(emailTexts);
  const [typed, setTyped] = useState('');
  const mail = { server, to: typed.trim() };
  const test = useMutation({ mutationFn: (sent: typeof mail) => sendTestMail(realm, sent) });
  // A result for other values than the current ones is not shown.
  const isCurrent = JSON.stringify(test.variables) === JSON.stringify(mail);
  const failure = isCurrent ? test.error : null;
  return (
    <div className="fields">
      <TextField
        label={texts.testTo}
        help={texts.testToHelp}
        type="email"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <p className="actions">
        <button type="button" disabled={test.isPending || !server.host} onClick={() => test.mutate(mail)}>
          {texts.test}
        </button>
      </p>
      <p className="help">{texts.testHelp}</p>
      <p role="status" className="done">
        {test.isPending && texts.sending}
        {test.isSuccess && isCurrent && texts.sent}
      </p>
      {failure !== null && <NotSent failure={failure} />}
    </div>
  );
}

/** The failure of the test. If the mail server was reached, its error is the last line of the host's message. */
function NotSent({ failure }: { failure: Error }) {
  const texts = useTexts(emailTexts);
  if (!(failure instanceof ApiFailure) || failure.kind !== 'broken') return <FailureNotice failure={failure} />;
  return (
    <section className="notice notice-bad" role="alert">
      <h2>{texts.notSent}</h2>
      <p>{texts.notSentLead}</p>
      {failure.hostMessage !== undefined && <pre className="told">{failure.hostMessage.split('\n').at(-1)}</pre>}
    </section>
  );
}
