// Follows a run according to the specification: node socket-io-client.mjs <url> <token> <run-id>
import { io } from 'socket.io-client';

const [url, token, runId] = process.argv.slice(2);
const told = new Set();
const say = what => {
  if (told.has(what)) return;
  told.add(what);
  console.log(what);
};

const socket = io(`${url}/dashboard`, { transports: ['websocket'], auth: { token } });
socket.on('connect', () => socket.emit('dashboard:subscribe', runId));
socket.on('dashboard:subscribed', run => run.runId === runId && say('dashboard:subscribed'));
socket.on('dashboard:update', data => {
  if (data.runId === runId && data.agents.gatekeeper && data.progress && data.usage) say('dashboard:update');
});
socket.on('dashboard:agent-status-change', change => {
  if (change.agent === 'refiner' && change.newStatus === 'running') say('dashboard:agent-status-change');
});
let asked = false;
socket.on('dashboard:stage-change', change => {
  if (change.newStage === 'WAITING_HUMAN') say('dashboard:stage-change');
  if (change.newStage === 'BUILD') {
    say('BUILD');
    socket.disconnect();
  }
});
socket.on('dashboard:crp', async crp => {
  if (asked) return;
  asked = true;
  say('dashboard:crp');
  const answer = await fetch(`${url}/api/runs/${runId}/crp`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { pending } = await answer.json();
  socket.emit('dashboard:crp-response', {
    crpId: pending[0].crp_id,
    decision: crp.options[0],
    rationale: 'simple',
  });
  say('answered');
});
socket.on('connect_error', error => {
  console.error(error.message);
  process.exit(1);
});
