import { Clock, Options } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { BuiltInPlugins } from '../di/providers.js';
import { token } from '../di/token.js';
import { KeyRing } from '../keys/key-ring.js';
import { Realms } from '../realms/realms.js';
import { Events } from '../registry/events/events.js';
import { ProviderRegistry } from '../registry/generations/registry.js';
import { PluginLog } from '../registry/log/plugin-log.js';
import { NodeList } from '../registry/nodes/node-list.js';
import { RightRefusals } from '../registry/sessions/right-refusals.js';
import { SessionFactory } from '../registry/sessions/session-factory.js';
import { Store } from '../store/module.js';
import { Users } from '../users/users.js';
import { VaultSecrets } from '../vault/vault-secrets.js';
import { emailListener } from './event-mails/email-listener.js';
import { MailBudgets } from './mail-budgets.js';
import { Mailer, type WrittenMail } from './mailer.js';
import { MailQueue } from './plugin-mails/mail-queue.js';
import { PluginMails } from './plugin-mails/plugin-mails.js';
import { QueuedMailStore } from './plugin-mails/queued-mail-store.js';
import { createQueuedSender } from './plugin-mails/queued-sender.js';
import { createUnsentListener } from './plugin-mails/unsent-listener.js';
import { RealmMails } from './realm-mails.js';
import { defaultSender } from './senders/default-sender.js';
import { RealmSenders } from './senders/realm-senders.js';
import { builtInTemplate } from './templates/built-in-template.js';
import { TestMails } from './test-mails.js';

/** Called for mails that were written to files. */
export const OnMailWritten = token<(written: WrittenMail) => void>('OnMailWritten');

export const mail = module('mail', [
  service(OnMailWritten, () => () => {}),
  service(Mailer, (use) => {
    const { mailDir, privateNetworks } = use(Options);
    return new Mailer({ mailDir, privateNetworks, vault: use(VaultSecrets), onWritten: use(OnMailWritten) });
  }),
  service(MailBudgets, (use) => new MailBudgets({ store: use(Store), clock: use(Clock) })),
  service(RealmSenders, (use) => new RealmSenders(use(Mailer))),
  service(RealmMails, (use) => new RealmMails(use(RealmSenders))),
  service(
    TestMails,
    (use) => new TestMails({ mailer: use(Mailer), senders: use(RealmSenders), sessions: use(SessionFactory) }),
  ),
  adds(BuiltInPlugins, (use) => [
    {
      name: 'keyhost-mails',
      api: 1,
      providers: [
        defaultSender(use(Mailer)),
        builtInTemplate,
        emailListener(() => ({
          users: use(Users),
          mails: use(RealmMails),
          senders: use(RealmSenders),
          queue: use(MailQueue),
          counters: use(Store).counters,
          clock: use(Clock),
        })),
      ],
    },
  ]),
  service(
    MailQueue,
    (use) => {
      const store = use(Store);
      const clock = use(Clock);
      const registry = use(ProviderRegistry);
      return new MailQueue({
        mailStore: new QueuedMailStore({ store, keys: use(KeyRing), clock }),
        send: createQueuedSender({ senders: use(RealmSenders), sessions: use(SessionFactory), registry }),
        realms: use(Realms),
        nodes: store.isShared ? use(NodeList) : undefined,
        clock,
        logger: use(PluginLog),
        outsideTransaction: (work) => store.unfenced(work),
        onUnsent: createUnsentListener({ events: use(Events), sessions: use(SessionFactory), registry }),
        budgets: use(MailBudgets),
      });
    },
    (queue) => queue.close(),
  ),
  service(
    PluginMails,
    (use) =>
      new PluginMails({
        mails: use(RealmMails),
        senders: use(RealmSenders),
        queue: use(MailQueue),
        users: use(Users),
        budgets: use(MailBudgets),
        refusals: use(RightRefusals),
        events: use(Events),
        sessions: use(SessionFactory),
        store: use(Store),
        clock: use(Clock),
      }),
  ),
]);
