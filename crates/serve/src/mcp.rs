//! The same for other programs, over the Model Context Protocol: four tools on standard input and output.

mod text;
mod tools;

use patois_ask::Asker;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer, ServiceExt as _};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::api::{Asked, Statement};
use crate::describe::describe;
use crate::options::{Limits, ServeError};
use crate::work::{Turn, Work, runtime};
use tools::{Checking, Nothing, tools};

/// Offers an asker as tools on standard input and output, until the other program goes away.
///
/// Nothing but the protocol is written to standard output.
///
/// # Errors
///
/// When there are no threads, or the other program does not speak the protocol.
pub fn mcp(asker: Asker<'static>, limits: Limits) -> Result<(), ServeError> {
    let runtime = runtime().map_err(ServeError::Start)?;
    let offered = Offered {
        work: Work::new(asker, limits).map_err(ServeError::Start)?,
    };
    let talked = runtime.block_on(talk(offered));
    // Standard input may still be read: that ends with the program.
    runtime.shutdown_background();
    talked
}

async fn talk(offered: Offered) -> Result<(), ServeError> {
    let protocol = |error: String| ServeError::Protocol(error);
    let talking = offered.serve(rmcp::transport::stdio()).await;
    let talking = talking.map_err(|it| protocol(it.to_string()))?;
    let ended = talking.waiting().await;
    ended.map(drop).map_err(|it| protocol(it.to_string()))
}

/// What is offered.
struct Offered {
    work: Work,
}

const INSTRUCTIONS: &str = "\
One database, read only. `ask` answers a question in plain English within milliseconds, with the query, what it computes \
in words, how sure that is, and other readings; it refuses what the database does not hold. `schema` tells what there is. \
Check a query of your own with `check_sql`, and run it with `run_sql`; nothing can be changed.";

impl ServerHandler for Offered {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("patois", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools().into_iter().find(|it| it.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let called = match request.name.as_ref() {
            "ask" => self.ask(parsed(arguments)?).await,
            "schema" => self.schema(parsed(arguments)?).await,
            "run_sql" => self.run_sql(parsed(arguments)?).await,
            "check_sql" => self.check_sql(parsed(arguments)?).await,
            other => {
                let message = format!("there is no tool called `{other}`");
                return Err(ErrorData::invalid_params(message, None));
            }
        };
        Ok(called.into())
    }
}

impl Offered {
    async fn ask(&self, question: Asked) -> CallToolResult {
        let asked = self.work.read(Turn::Question, move |asker| {
            let answer = question.ask(asker);
            outcome(text::answer(&answer), &answer)
        });
        asked.await.unwrap_or_else(|it| failed(it.message))
    }

    async fn schema(&self, _: Nothing) -> CallToolResult {
        let described = self.work.read(Turn::Query, |asker| {
            let description = describe(asker);
            outcome(text::schema(&description), &description)
        });
        described.await.unwrap_or_else(|it| failed(it.message))
    }

    async fn run_sql(&self, statement: Statement) -> CallToolResult {
        let run = self.work.read(Turn::Query, move |asker| {
            let returned = statement.run(asker);
            match text::returned(&returned) {
                Ok(text) => outcome(text, &returned),
                Err(error) => failed(error),
            }
        });
        run.await.unwrap_or_else(|it| failed(it.message))
    }

    async fn check_sql(&self, checking: Checking) -> CallToolResult {
        let checked = self.work.read(Turn::Query, move |asker| {
            let checked = asker.check(&checking.sql);
            outcome(text::checked(&checked), &checked)
        });
        checked.await.unwrap_or_else(|it| failed(it.message))
    }
}

/// The arguments of a call.
fn parsed<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, ErrorData> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        let message = format!("expected arguments as the tool describes them: {error}");
        ErrorData::invalid_params(message, None)
    })
}

/// What came of a call, for those who read and for those who compute.
fn outcome(text: String, value: &impl serde::Serialize) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = serde_json::to_value(value).ok();
    result
}

fn failed(message: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(message)])
}
