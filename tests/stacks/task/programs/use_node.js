// Node.js: worker threads, child processes with their channel, the thread pool, watching, a local socket, JIT code.
'use strict';
const assert = require('assert');
const child_process = require('child_process');
const fs = require('fs');
const net = require('net');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const { once } = require('events');
const alone = process.argv[2] === 'alone';

async function threads() {
	const shared = new SharedArrayBuffer(4);
	const worker = new Worker(__filename, { workerData: shared });
	const [message] = await once(worker, 'message');
	assert.strictEqual(message, 'done');
	assert.strictEqual(Atomics.load(new Int32Array(shared), 0), 7);
	await worker.terminate();
}

async function children() {
	const child = child_process.fork(__filename, ['child']);
	child.send(20);
	const [answer] = await once(child, 'message');
	assert.strictEqual(answer, 21);
	child.disconnect();
	assert.strictEqual((await once(child, 'exit'))[0], 0);
	assert.strictEqual(child_process.execFileSync('/bin/echo', ['a']).toString(), 'a\n');
}

async function localSocket() {
	const server = net.createServer((socket) => socket.pipe(socket)).listen('/tmp/socket');
	await once(server, 'listening');
	const client = net.connect('/tmp/socket');
	client.end('echo');
	const [bytes] = await once(client, 'data');
	assert.strictEqual(bytes.toString(), 'echo');
	client.destroy();
	server.close();
}

async function watching() {
	fs.mkdirSync('/tmp/watched');
	const watcher = fs.watch('/tmp/watched');
	const change = once(watcher, 'change');
	await fs.promises.writeFile('/tmp/watched/file', 'x');
	await change;
	watcher.close();
}

function compute() {
	let sum = 0;
	for (let i = 0; i < 3e7; i++)
		sum = (sum + i * i) % 1000003;
	assert(sum >= 0);
}

async function main() {
	compute();
	await threads();
	if (!alone) {
		await children();
		await localSocket();
		await watching();
	}
	const lines = (await fs.promises.readFile('/input/cases.csv', 'utf8')).trim().split('\n').slice(1);
	const rows = lines.map((line) => line.split(',')).map(([id, x]) => `${id},${1 / (1 + Math.exp(-x))}`);
	await fs.promises.writeFile('/output/predictions.csv', ['id,p', ...rows, ''].join('\n'));
}

if (!isMainThread) {
	Atomics.store(new Int32Array(workerData), 0, 7);
	parentPort.postMessage('done');
} else if (process.argv[2] === 'child') {
	process.on('message', (n) => process.send(n + 1));
} else {
	main().catch((error) => { console.error(error); process.exit(1); });
}
