//! A host in the middle that passes everything on and remembers what the caller says.

use crate::parallel::lock;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The bytes of a greeting and of what follows; more is not needed.
const MOST: usize = 4_096;

/// The bytes of each connection.
type Tapes = Arc<Mutex<Vec<Vec<u8>>>>;

/// Connections to a port, with what their callers say.
pub struct Recording {
    port: u16,
    tapes: Tapes,
}

impl Recording {
    /// Listens, and passes everything on to a port of this machine.
    pub fn of(target: u16) -> io::Result<Recording> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let tapes = Tapes::default();
        let shared = tapes.clone();
        // It ends with the process: it waits for callers.
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let Ok(far) = TcpStream::connect(("127.0.0.1", target)) else { continue };
                let number = {
                    let mut tapes = lock(&shared);
                    tapes.push(Vec::new());
                    tapes.len() - 1
                };
                let ends = (near.try_clone(), far.try_clone());
                let (Ok(near_too), Ok(far_too)) = ends else { continue };
                let tapes = shared.clone();
                std::thread::spawn(move || {
                    pass(near, far, |bytes| {
                        let tape = &mut lock(&tapes)[number];
                        let room = MOST.saturating_sub(tape.len());
                        tape.extend(bytes.iter().take(room));
                    })
                });
                std::thread::spawn(move || pass(far_too, near_too, |_| {}));
            }
        });
        Ok(Recording { port, tapes })
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// What each caller has said.
    pub fn heard(&self) -> Vec<Vec<u8>> {
        lock(&self.tapes).iter().filter(|tape| !tape.is_empty()).cloned().collect()
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, mut hear: impl FnMut(&[u8])) {
    let mut bytes = [0; 4096];
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        hear(&bytes[..n]);
        if to.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
