/** Adds Socket.IO to the HTTP server. Accepts only WebSocket, and checks host and origin as for HTTP requests. */
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { Server } from 'socket.io';
import { hostRefusal, originOf } from '../sessions/check-host-and-origin.ts';

/** A page that receives nothing for the sum of both intervals (ms) shows that there is no connection. */
export const HEARTBEAT_MS = { pingInterval: 1500, pingTimeout: 3000 } as const;

export interface WebSocketOptions {
  readonly port: number;
  readonly heartbeat: Readonly<Record<keyof typeof HEARTBEAT_MS, number>>;
  isOpen(): boolean;
}

export function webSocketServer(http: HttpServer, { port, heartbeat, isOpen }: WebSocketOptions): Server {
  const io = new Server(http, {
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: 64_000,
    perMessageDeflate: false,
    connectTimeout: 10_000,
    ...heartbeat,
    allowRequest: (req, decide) => decide(null, isOpen() && hostRefusal(originOf(req), port) === null),
  });
  io.engine.use((req: IncomingMessage, res: ServerResponse, next: () => void) => {
    if (isWebSocket(req)) return next();
    res.writeHead(400, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ code: 0, message: WEBSOCKET_ONLY }));
  });
  return io;
}

const isWebSocket = (req: IncomingMessage): boolean => /[?&]transport=websocket(&|$)/.test(req.url ?? '');
const WEBSOCKET_ONLY = "Only WebSocket is supported: connect with { transports: ['websocket'] }.";
