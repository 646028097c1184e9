import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    Endpoints: 'Endpunkte',
    'Endpoints by name. You choose the names.': 'Endpunkte mit Namen, die du wählst.',
    Address: 'Adresse',
    'URL that receives the events. http only in networks of --outbound-private-networks.':
      'URL, die die Ereignisse erhält. http nur in Netzen von --outbound-private-networks.',
    'Event types': 'Ereignistypen',
    'Event types, such as "access.LOGIN_ERROR" and "admin.USER-CREATE"; * matches any characters.':
      'Ereignistypen wie „access.LOGIN_ERROR“ und „admin.USER-CREATE“; * steht für beliebige Zeichen.',
    'Secret that signs requests: whsec_ and base64 of 24 to 64 random bytes.':
      'Secret, das Anfragen signiert: whsec_ und Base64 von 24 bis 64 zufälligen Bytes.',
    Secret: 'Secret',
    'Previous secret': 'Vorheriges Secret',
    'Previous secret, which also signs while receivers change to the new one.':
      'Vorheriges Secret, das mitsigniert, während Empfänger auf das neue wechseln.',
    'Additional headers': 'Weitere Header',
    'Additional request headers: Authorization, and headers that begin with X-.':
      'Weitere Header der Anfrage: Authorization und Header, die mit X- beginnen.',
    Enabled: 'Aktiviert',
    'Off: new events are not queued; queued events are kept.':
      'Aus: Neue Ereignisse kommen nicht in die Warteschlange; die darin bleiben.',
    'Time limit': 'Zeitlimit',
    'Time limit of one attempt, in seconds.': 'Zeitlimit eines Versuchs, in Sekunden.',
    'Concurrent requests': 'Gleichzeitige Anfragen',
    'Concurrent requests of each node; one while the endpoint fails.':
      'Gleichzeitige Anfragen jedes Knotens; eine, solange der Endpunkt fehlschlägt.',
    Attempts: 'Versuche',
    'Number of attempts before an event becomes a dead letter.': 'Versuche, bevor ein Ereignis unzustellbar ist.',
    'Queued events': 'Ereignisse in der Warteschlange',
    'Maximum number of queued events of this realm; when it is exceeded, the oldest become dead letters.':
      'Höchstzahl der Ereignisse dieses Realms in der Warteschlange; darüber hinaus werden die ältesten unzustellbar.',
    'Dead letters': 'Unzustellbare Ereignisse',
    'Maximum number of dead letters of this realm; when it is exceeded, the oldest are deleted.':
      'Höchstzahl der unzustellbaren Ereignisse dieses Realms; darüber hinaus werden die ältesten gelöscht.',
    'Days of dead letters': 'Tage für unzustellbare Ereignisse',
    'Number of days after which a dead letter is deleted.':
      'Nach so vielen Tagen wird ein unzustellbares Ereignis gelöscht.',
  },
};
