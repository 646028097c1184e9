import { generateKeyPairSync, verify } from 'node:crypto';
import test from 'ava';
import { signatureAlgorithm } from '../../core/keys/algorithms.js';
import { RsaSigner } from '../../core/keys/rsa-signer.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const DATA = Buffer.from('what is signed');
const KEY = { key: privateKey };

const turn = () => new Promise((resolve) => setImmediate(resolve));
const sign = (signer: RsaSigner) => signer.sign('sha256', DATA, KEY);
const isGood = async (signature: Buffer | Promise<Buffer>) => verify('sha256', DATA, publicKey, await signature);

test('RSA signer: a single signature is made in place, and parallel ones in the pool', async (t) => {
  const signer = new RsaSigner(2);
  const alone = sign(signer);
  t.true(alone instanceof Buffer);
  const beside = [sign(signer), sign(signer), sign(signer)];
  for (const signature of beside) t.true(signature instanceof Promise);
  for (const signature of [alone, ...beside]) t.true(await isGood(signature));
});

test('RSA signer: while one is in the pool the next ones go there, in later turns too', async (t) => {
  const signer = new RsaSigner(2);
  sign(signer);
  let isMade = false;
  const first = Promise.resolve(sign(signer)).then((signature) => {
    isMade = true;
    return signature;
  });
  const later: (Buffer | Promise<Buffer>)[] = [];
  while (!isMade && later.length < 50) {
    later.push(sign(signer));
    await turn();
  }
  for (const signature of later) t.true(signature instanceof Promise);
  for (const signature of [first, ...later]) t.true(await isGood(signature));
});

test('RSA signer: when the pool is empty the next one is made in place again', async (t) => {
  const signer = new RsaSigner(2);
  await Promise.all([sign(signer), sign(signer)]);
  await turn();
  t.true(sign(signer) instanceof Buffer);
  await turn();
  t.true(sign(signer) instanceof Buffer);
});

test('RSA signer: on one core every signature is made in place', async (t) => {
  const signer = new RsaSigner(1);
  for (const signature of [sign(signer), sign(signer), sign(signer)]) {
    t.true(signature instanceof Buffer);
    t.true(await isGood(signature));
  }
});

test('RSA signer: a key that cannot sign is reported in a batch too, and the others are signed', async (t) => {
  const { hash, options } = signatureAlgorithm('PS512') ?? {};
  const small = { key: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey, ...options };
  const signer = new RsaSigner(2);
  const beside = [sign(signer), sign(signer)];
  t.true(beside[1] instanceof Promise);
  // In the pool it would end a process of Node 20.19.
  for (let i = 0; i < 3; i++)
    t.throws(() => signer.sign(hash ?? null, DATA, small), { message: /too large for key size/ });
  beside.push(sign(signer));
  for (const signature of beside) t.true(await isGood(signature));
});

test('RSA signer: the first signature of a key is made in place, whatever is in the pool', async (t) => {
  const signer = new RsaSigner(2);
  const other = { key: privateKey };
  sign(signer);
  const inPool = sign(signer);
  t.true(inPool instanceof Promise);
  t.true(signer.sign('sha256', DATA, other) instanceof Buffer);
  t.true(signer.sign('sha256', DATA, other) instanceof Promise);
  t.true(await isGood(inPool));
});
