import { EmailSender, type Plugin, provide } from '@keyhost/spi';

/** Statuses for a mail that the service will never accept. */
const FINAL = [400, 413, 422];

/** Sends the mails of a realm by a service with an HTTP API, instead of its mail server. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(EmailSender, {
      id: '__id__',
      realmConfig: {
        type: 'object',
        properties: {
          url: { type: 'string', format: 'uri', description: 'Where the service takes mails.' },
          key: { type: 'string', minLength: 1, writeOnly: true, description: 'The API key of the service.' },
        },
        required: ['url', 'key'],
        additionalProperties: false,
      },
      open: () => ({
        create: (session, { url, key }) => ({
          async send({ to, from, replyTo, subject, text, html, messageId }) {
            const mail = { to, from, replyTo, subject, text, html };
            const answer = await session.outbound.request({
              url,
              method: 'POST',
              headers: {
                authorization: `Bearer ${key}`,
                'content-type': 'application/json',
                // The service accepts a mail once, even if it is sent again.
                'idempotency-key': messageId,
              },
              body: JSON.stringify(mail),
            });
            if (answer.status === 200) return { outcome: 'sent' };
            const reason = `the service answered ${answer.status}`;
            if (FINAL.includes(answer.status)) return { outcome: 'refused', reason, final: true };
            // The service accepts no mails at present: all of them wait.
            throw new Error(reason);
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
