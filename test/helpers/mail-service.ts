import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OutgoingMail } from '@keyhost/spi';
import type { ExecutionContext } from 'ava';
import { eventually } from './eventually.js';

/**
 * How the helper's `EmailSender` treats a mail: its answer, which may be invalid, or the way in which it fails. `die`
 * ends its worker.
 */
export type MailAnswer = Readonly<Record<string, unknown>> | { readonly fail: 'throw' | 'hang' | 'die' };

/** A service with an HTTP API for sending mails, as many providers offer. */
export interface MailService {
  readonly url: string;
  readonly mails: readonly OutgoingMail[];
  /** Its answer to later mails. */
  answer: (mail: OutgoingMail) => MailAnswer;
  /** @param index that of the mail, from 0 */
  mail(index: number): Promise<OutgoingMail>;
}

export async function startMailService(t: Pick<ExecutionContext, 'teardown'>): Promise<MailService> {
  const mails: OutgoingMail[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const mail = JSON.parse(Buffer.concat(chunks).toString()) as OutgoingMail;
    mails.push(mail);
    response.end(JSON.stringify(service.answer(mail)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const service: MailService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    answer: () => ({ outcome: 'sent', id: 'of the service' }),
    mail: (index) => eventually(() => mails[index]),
  };
  return service;
}

/** The source of an `EmailSender` that sends mails through the service at its configured `url`. */
export const mailSender = (id: string) => `provide(EmailSender, {
  id: '${id}',
  realmConfig: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'], additionalProperties: false },
  open: () => ({ create: (_, { url }) => ({
    async send(mail) {
      const answer = await (await fetch(url, { method: 'POST', body: JSON.stringify(mail) })).json();
      if (answer.fail === 'throw') throw new Error('words of the service');
      if (answer.fail === 'die') setImmediate(() => { throw new Error('the end of the worker'); });
      return answer.fail === undefined ? answer : new Promise(() => {});
    },
  }) }),
})`;
