//! Parameters of functions and of lambdas, and type parameters.

use patois_syntax::{Ast, Child, Field, Text};
use ruff_python_ast::{self as ruff, Expr, Parameter, ParameterWithDefault, Parameters};

use super::{
    Converted, Converter, error_at, many, node, non_empty, one, optional, optional_text, text,
};

impl Converter<'_> {
    pub(super) fn type_params(&mut self, params: Option<&ruff::TypeParams>) -> Converted<Field> {
        let params = params
            .map(|it| it.type_params.as_slice())
            .unwrap_or_default();
        Ok(many(
            "type_params",
            "type_param",
            self.each(params, Converter::type_param)?,
        ))
    }

    fn type_param(&mut self, param: &ruff::TypeParam) -> Converted<Ast> {
        self.node_at(param, |it| {
            let name = text("name", "identifier", param.name().as_str());
            Ok(match param {
                ruff::TypeParam::TypeVar(var) => {
                    let bound = it.maybe_expr("bound", var.bound.as_deref())?;
                    let default = it.maybe_expr("default", var.default.as_deref())?;
                    node("type_param", "TypeVar", vec![name, bound, default])
                }
                ruff::TypeParam::ParamSpec(spec) => {
                    let default = it.maybe_expr("default", spec.default.as_deref())?;
                    node("type_param", "ParamSpec", vec![name, default])
                }
                ruff::TypeParam::TypeVarTuple(tuple) => match tuple.default.as_deref() {
                    Some(Expr::Starred(default)) => {
                        let default = it.one_expr("default", &default.value)?;
                        node("type_param", "TypeVarTupleUnpack", vec![name, default])
                    }
                    default => {
                        let default = it.maybe_expr("default", default)?;
                        node("type_param", "TypeVarTuple", vec![name, default])
                    }
                },
            })
        })
    }

    pub(super) fn parameters(&mut self, parameters: &Parameters) -> Converted<Ast> {
        self.node_at(parameters, |it| {
            let mut fields = Vec::with_capacity(4);
            let before_slash = split_defaulted(&parameters.posonlyargs);
            let after_slash = split_defaulted(&parameters.args);
            let constructor = match before_slash {
                ([], []) => "Parameters",
                (plain, []) => {
                    let plain = it.each(plain, Converter::parameter_of)?;
                    fields.push(non_empty("positional_only", "parameter", plain));
                    "SlashAfterPlain"
                }
                (plain, defaulted) => {
                    let plain = it.each(plain, Converter::parameter_of)?;
                    fields.push(many("positional_only", "parameter", plain));
                    let defaulted = it.each(defaulted, Converter::default_parameter)?;
                    let name = "positional_only_defaulted";
                    fields.push(non_empty(name, "default_parameter", defaulted));
                    "SlashAfterDefault"
                }
            };
            let (plain, defaulted) = after_slash;
            if constructor != "SlashAfterDefault" {
                let plain = it.each(plain, Converter::parameter_of)?;
                fields.push(many("plain", "parameter", plain));
            }
            let defaulted = it.each(defaulted, Converter::default_parameter)?;
            fields.push(many("defaulted", "default_parameter", defaulted));
            let variadic = it.variadic(parameters)?;
            fields.push(optional("variadic", "variadic", variadic));
            Ok(node("parameters", constructor, fields))
        })
    }

    fn parameter_of(&mut self, parameter: &ParameterWithDefault) -> Converted<Ast> {
        self.parameter(&parameter.parameter)
    }

    fn parameter(&mut self, parameter: &Parameter) -> Converted<Ast> {
        let name = text("name", "identifier", parameter.name.as_str());
        let Some(annotation) = &parameter.annotation else {
            return Ok(node("parameter", "Parameter", vec![name]));
        };
        self.node_at(parameter, |it| {
            let annotation = it.one_expr("annotation", annotation)?;
            Ok(node(
                "parameter",
                "AnnotatedParameter",
                vec![name, annotation],
            ))
        })
    }

    fn default_parameter(&mut self, parameter: &ParameterWithDefault) -> Converted<Ast> {
        self.node_at(parameter, |it| {
            let default = it.default_of(parameter)?;
            let parameter = one(
                "parameter",
                "parameter",
                it.parameter(&parameter.parameter)?,
            );
            Ok(node(
                "default_parameter",
                "DefaultParameter",
                vec![parameter, default],
            ))
        })
    }

    fn default_of(&mut self, parameter: &ParameterWithDefault) -> Converted<Field> {
        let message = "expected a default, as the parameters before have one";
        let default = parameter.default.as_deref();
        self.one_expr(
            "value",
            default.ok_or_else(|| error_at(parameter.range, message))?,
        )
    }

    fn keyword_parameter(&mut self, parameter: &ParameterWithDefault) -> Converted<Ast> {
        self.node_at(parameter, |it| {
            let name = one(
                "parameter",
                "parameter",
                it.parameter(&parameter.parameter)?,
            );
            if parameter.default.is_none() {
                return Ok(node("keyword_parameter", "Required", vec![name]));
            }
            let default = it.default_of(parameter)?;
            Ok(node("keyword_parameter", "Defaulted", vec![name, default]))
        })
    }

    fn variadic(&mut self, parameters: &Parameters) -> Converted<Option<Ast>> {
        let Parameters {
            vararg,
            kwonlyargs,
            kwarg,
            ..
        } = parameters;
        if vararg.is_none() && kwonlyargs.is_empty() {
            let Some(kwarg) = kwarg else {
                return Ok(None);
            };
            let parameter = self.node_at(parameters, |it| it.parameter(kwarg))?;
            let parameter = one("parameter", "parameter", parameter);
            return Ok(Some(node("variadic", "KwArgs", vec![parameter])));
        }
        self.below(parameters, |it| {
            let mut fields = Vec::with_capacity(4);
            let constructor = match vararg {
                Some(vararg) => it.var_args(vararg, &mut fields)?,
                None => "KeywordOnly",
            };
            let keyword_only = it.each(kwonlyargs, Converter::keyword_parameter)?;
            fields.push(match vararg {
                Some(_) => many("keyword_only", "keyword_parameter", keyword_only),
                None => non_empty("keyword_only", "keyword_parameter", keyword_only),
            });
            let kwargs = it.maybe(kwarg.as_deref(), Converter::parameter)?;
            fields.push(optional("kwargs", "parameter", kwargs));
            Ok(Some(node("variadic", constructor, fields)))
        })
    }

    fn var_args(
        &mut self,
        parameter: &Parameter,
        fields: &mut Vec<Field>,
    ) -> Converted<&'static str> {
        if let Some(Expr::Starred(annotation)) = parameter.annotation.as_deref() {
            fields.push(text("name", "identifier", parameter.name.as_str()));
            fields.push(self.one_expr("annotation", &annotation.value)?);
            return Ok("VarArgsUnpack");
        }
        fields.push(one("parameter", "parameter", self.parameter(parameter)?));
        Ok("VarArgs")
    }

    pub(super) fn lambda_parameters(&mut self, parameters: Option<&Parameters>) -> Converted<Ast> {
        let Some(parameters) = parameters else {
            let fields = vec![
                many("plain", "identifier", Vec::new()),
                many("defaulted", "lambda_default", Vec::new()),
                optional("variadic", "lambda_variadic", None),
            ];
            return Ok(node("lambda_parameters", "LambdaParameters", fields));
        };
        self.node_at(parameters, |it| {
            let mut fields = Vec::with_capacity(4);
            let constructor = match split_defaulted(&parameters.posonlyargs) {
                ([], []) => "LambdaParameters",
                (plain, []) => {
                    fields.push(non_empty("positional_only", "identifier", names(plain)));
                    "LambdaSlashAfterPlain"
                }
                (plain, defaulted) => {
                    fields.push(many("positional_only", "identifier", names(plain)));
                    let defaulted = it.each(defaulted, Converter::lambda_default)?;
                    let name = "positional_only_defaulted";
                    fields.push(non_empty(name, "lambda_default", defaulted));
                    "LambdaSlashAfterDefault"
                }
            };
            let (plain, defaulted) = split_defaulted(&parameters.args);
            if constructor != "LambdaSlashAfterDefault" {
                fields.push(many("plain", "identifier", names(plain)));
            }
            let defaulted = it.each(defaulted, Converter::lambda_default)?;
            fields.push(many("defaulted", "lambda_default", defaulted));
            let variadic = it.lambda_variadic(parameters)?;
            fields.push(optional("variadic", "lambda_variadic", variadic));
            Ok(node("lambda_parameters", constructor, fields))
        })
    }

    fn lambda_default(&mut self, parameter: &ParameterWithDefault) -> Converted<Ast> {
        self.node_at(parameter, |it| {
            let name = text("name", "identifier", parameter.name().as_str());
            let default = it.default_of(parameter)?;
            Ok(node("lambda_default", "LambdaDefault", vec![name, default]))
        })
    }

    fn lambda_keyword(&mut self, parameter: &ParameterWithDefault) -> Converted<Ast> {
        let name = text("name", "identifier", parameter.name().as_str());
        if parameter.default.is_none() {
            return Ok(node("lambda_keyword", "LambdaRequired", vec![name]));
        }
        self.node_at(parameter, |it| {
            let default = it.default_of(parameter)?;
            Ok(node(
                "lambda_keyword",
                "LambdaDefaulted",
                vec![name, default],
            ))
        })
    }

    fn lambda_variadic(&mut self, parameters: &Parameters) -> Converted<Option<Ast>> {
        let Parameters {
            vararg,
            kwonlyargs,
            kwarg,
            ..
        } = parameters;
        let kwargs = kwarg.as_ref().map(|it| it.name.as_str());
        if vararg.is_none() && kwonlyargs.is_empty() {
            return Ok(kwargs.map(|name| {
                let name = text("name", "identifier", name);
                node("lambda_variadic", "LambdaKwArgs", vec![name])
            }));
        }
        self.below(parameters, |it| {
            let keyword_only = it.each(kwonlyargs, Converter::lambda_keyword)?;
            let kwargs = optional_text("kwargs", "identifier", kwargs);
            let Some(vararg) = vararg else {
                let keyword_only = non_empty("keyword_only", "lambda_keyword", keyword_only);
                let fields = vec![keyword_only, kwargs];
                return Ok(Some(node("lambda_variadic", "LambdaKeywordOnly", fields)));
            };
            let fields = vec![
                text("name", "identifier", vararg.name.as_str()),
                many("keyword_only", "lambda_keyword", keyword_only),
                kwargs,
            ];
            Ok(Some(node("lambda_variadic", "LambdaVarArgs", fields)))
        })
    }
}

/// Parameters without a default, then those with one: the parser has seen to the order.
fn split_defaulted(
    parameters: &[ParameterWithDefault],
) -> (&[ParameterWithDefault], &[ParameterWithDefault]) {
    let plain = parameters
        .iter()
        .take_while(|it| it.default.is_none())
        .count();
    parameters.split_at(plain)
}

fn names(parameters: &[ParameterWithDefault]) -> Vec<Child> {
    parameters
        .iter()
        .map(|it| Child::Text(Text::new(it.name().as_str())))
        .collect()
}
