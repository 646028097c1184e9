import { spi } from '@keyhost/spi';

export interface GreeterDeclaration {
  /** The language of its greetings, a BCP 47 tag. */
  readonly language: string;
}

export interface GreeterProvider {
  greet(name: string): Promise<{ readonly text: string }>;
}

/** Plugins with a greeter import this constant from `__name__/contract` and provide it. */
export const Greeter = spi<GreeterDeclaration, GreeterProvider>({
  id: '__id__-greeter',
  name: 'Greeter',
  methods: { required: ['greet'] },
  declares: {
    type: 'object',
    properties: { language: { type: 'string' } },
    required: ['language'],
    additionalProperties: false,
  },
  answers: { greet: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
});
