mtype = { req, ack };
chan c = [1] of { mtype };
active proctype P() { c!rq }
active proctype Q() { c?req }
