import { EventListener, ProtocolMapper, RealmResourceProvider, RequiredAction } from '@keyhost/spi';
import { conforms } from '@keyhost/spi/testing';
import test from 'ava';

// Links are good only as a mail has them: invitations.test.ts follows those.
for (const kind of [RealmResourceProvider, ProtocolMapper, RequiredAction, EventListener]) {
  test(`the plugin keeps the rules of the kind ${kind.name}`, async (t) => {
    const { default: plugin } = await import('@keyhost/organizations');
    await conforms(t, kind, plugin);
    t.pass();
  });
}
