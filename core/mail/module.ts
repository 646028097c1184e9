import { Options } from '../di/given.js';
import { module, service } from '../di/module.js';
import { token } from '../di/token.js';
import { Mailer, type WrittenMail } from './mailer.js';
import { RealmMails } from './realm-mails.js';
import { TestMails } from './test-mails.js';

/** Told of mails that became files. */
export const OnMailWritten = token<(written: WrittenMail) => void>('OnMailWritten');

export const mail = module('mail', [
  service(OnMailWritten, () => () => {}),
  service(Mailer, (use) => {
    const { mailDir, privateNetworks } = use(Options);
    return new Mailer({ mailDir, privateNetworks, onWritten: use(OnMailWritten) });
  }),
  service(RealmMails, (use) => new RealmMails(use(Mailer))),
  service(TestMails, (use) => new TestMails(use(Mailer))),
]);
