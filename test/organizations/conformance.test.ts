import { EventListener, ProtocolMapper, RealmResourceProvider, RequiredAction } from '@keyhost/spi';
import { conforms } from '@keyhost/spi/testing';
import test from 'ava';

// Links are good only as a mail has them: invitations.test.ts follows those.
for (const spi of [RealmResourceProvider, ProtocolMapper, RequiredAction, EventListener]) {
  test(`organizations: the plugin keeps the rules of the kind ${spi.name}`, async (t) => {
    const { default: plugin } = await import('@keyhost/organizations');
    await conforms(t, spi, plugin);
    t.pass();
  });
}
